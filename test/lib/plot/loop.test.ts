import assert from "node:assert/strict";
import fs from "node:fs";
import { drawLoop, displaySymbol } from "turnwise/plot";
import { pathsOfSuite } from "../../support/command.js";

/** The frames of the four parts in their order: color and width of the stroke. */
const frames = (svg: string): string[] =>
  [...svg.matchAll(/<rect [^>]*rx="12"[^>]*stroke="([^"]*)" stroke-width="(\d)"/g)].map(
    ([, color, wide]) => `${color} ${wide}`,
  );

describe("drawLoop()", () => {
  const at = pathsOfSuite();
  const [lit, plain] = ["#4080E0 5", "currentColor 2"];

  it("lights the part that is active, by color, by the frame's width and by bold letters", () => {
    const { svg } = drawLoop("rule");
    assert.deepEqual(frames(svg), [plain, plain, lit, plain]);
    const bold = [...svg.matchAll(/font-weight="bold"[^>]*>([^<]*)</g)].map(([, words]) => words);
    assert.deepEqual(bold, ["3 rule", "gradient"], "the part and what it hands on");
  });

  it("lights several, or none", () => {
    assert.deepEqual(frames(drawLoop(["agent", "world"]).svg), [lit, lit, plain, plain]);
    assert.deepEqual(frames(drawLoop().svg), [plain, plain, plain, plain]);
  });

  it("is a text in a terminal, and a sentence for screen readers", () => {
    const drawn = drawLoop("rule", { title: "The rule" });
    assert.equal(
      String(drawn),
      `The rule
agent --tokens--> world --observation--> agent, many turns
world --trajectories and rewards--> [RULE] --gradient--> trainer --new policy--> agent`,
    );
    assert.match(
      drawn.svg,
      /aria-label="The rule\. The loop of agent, world, rule and trainer\. Lit: rule\."/,
    );
    assert.doesNotMatch(String(drawLoop("agent")[displaySymbol]()["text/html"]), / id=|#fff|black/);
  });

  it("refuses a part that the loop does not have", () => {
    assert.throws(() => drawLoop("trainr" as "trainer"), {
      name: "RangeError",
      message:
        'Cannot draw the loop: its parts must be agent, world, rule, trainer, got "trainr".\nDid you mean "trainer"?',
    });
  });

  it("is saved in the ink of a theme, as SVG, PNG and PDF", async function () {
    this.timeout(30_000);
    await drawLoop("rule").save(at("loop.svg"), { theme: "dark" });
    const dark = fs.readFileSync(at("loop.svg"), "utf8");
    assert.match(dark, /^<svg [^>]*><rect width="100%" height="100%" fill="#111111"\/>/);
    assert.doesNotMatch(dark, /currentColor/);
    assert.match(dark, /#e6e6e6/);
    await drawLoop("rule").save(at("loop.png"));
    assert.equal(fs.readFileSync(at("loop.png")).subarray(1, 4).toString("latin1"), "PNG");
    await drawLoop("rule").save(at("loop.pdf"));
    assert.equal(fs.readFileSync(at("loop.pdf")).subarray(0, 4).toString("latin1"), "%PDF");
    await assert.rejects(
      drawLoop("rule").save(at("loop.json")),
      /Cannot save a chart: .*\.svg, \.png( or|,) \.pdf/,
    );
  });
});
