import assert from "node:assert/strict";
import { drawGrpo } from "turnwise-course/grpo-from-scratch";
import { drawWords } from "turnwise-course/start-here";

describe("the slides of the first lessons", () => {
  it("have a line for each of six words, and for each of five parts of GRPO", () => {
    assert.equal(drawWords().toString().split("\n").length, 1 + 6);
    assert.equal(drawGrpo().toString().split("\n").length, 1 + 5);
  });

  it("fit on a screen, and say the same to a screen reader as to a terminal", () => {
    for (const { svg } of [drawWords(), drawGrpo()]) {
      const [, height] = /height="(\d+)"/.exec(svg)!;
      assert.ok(Number(height) <= 600);
    }
    assert.match(drawGrpo().svg, /aria-label="[^"]*reward − mean: Deaf to what everybody gets\./);
    assert.match(drawGrpo().toString(), /reward − mean +Deaf to what everybody gets\./);
  });
});
