import assert from "node:assert/strict";
import { drawEnds } from "turnwise-course/grpo-from-scratch";

const run = (end: number) => [{ update: 1, metrics: { "return/exact": end } }];
const dots = (svg: string): number[] =>
  [...svg.matchAll(/<rect x="(\S+)" y="\S+" width="16" /g)].map(([, x]) => Number(x) + 8);

describe("drawEnds", () => {
  const picture = drawEnds({ stuck: [run(0), run(0.5), run(0)], fine: [run(1), run(0.96)] });

  it("draws one dot for each seed, where its last return lies", () => {
    // Names of at most 5 letters: the axis begins at 24 + 5 * 11 = 79 and ends at 760 - 120 = 640, so .5 lies at 359.5, and .96 at 617.56.
    assert.deepEqual(dots(picture.svg), [79, 359.5, 79, 640, 617.6]);
  });

  it("says beside each row how many seeds end above .9", () => {
    assert.match(picture.svg, />0 of 3</);
    assert.match(picture.svg, />2 of 2</);
  });

  it("tells a terminal the ends of each row, sorted, without a minus before 0", () => {
    const text = drawEnds({ stuck: [run(0.5), run(-1e-9)] }).toString();
    assert.equal(text, "Where each seed ends: one dot, one seed\n  stuck: 0.00, 0.50");
  });

  it("refuses runs without exact returns", () => {
    assert.throws(() => drawEnds([[{ update: 1, metrics: {} }]]), /return\/exact/);
  });
});
