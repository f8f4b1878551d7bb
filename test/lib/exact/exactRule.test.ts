import assert from "node:assert/strict";
import { clipStep, exactRule, gradientStep, reuseStep, type ExactRule } from "turnwise/exact";

describe("exactRule()", () => {
  it("is, without cells, one REINFORCE step on the group mean for all turns at once", () => {
    assert.deepEqual(exactRule(), {
      baseline: "mean",
      scale: "none",
      groupSize: Infinity,
      unbiased: false,
      step: { kind: "gradient", learningRate: 1, steps: 1, clip: null },
      order: "simultaneous",
      carry: "off",
      carryClip: [0.8, 1.2],
    });
  });

  it("carries exactly where turns follow each other, unless it is told otherwise", () => {
    for (const order of ["reverse", "forward", "random"] as const) {
      assert.equal(exactRule({ order }).carry, "exact");
      assert.equal(exactRule({ order, carry: "off" }).carry, "off");
    }
    assert.equal(exactRule({ order: "simultaneous" }).carry, "off");
  });

  it("has steps by name: clip .2 on both sides, one plain gradient step, several with a clip", () => {
    assert.deepEqual(clipStep(), { kind: "clip", clipLow: 0.2, clipHigh: 0.2 });
    assert.deepEqual(clipStep(0.1), { kind: "clip", clipLow: 0.1, clipHigh: 0.1 });
    assert.deepEqual(clipStep(0.1, 0.3), { kind: "clip", clipLow: 0.1, clipHigh: 0.3 });
    assert.deepEqual(gradientStep(4), { kind: "gradient", learningRate: 4, steps: 1, clip: null });
    const clip = { low: 0.2, high: 0.2 };
    assert.deepEqual(reuseStep(4, 3), { kind: "gradient", learningRate: 4, steps: 3, clip });
    assert.deepEqual(reuseStep(4, 3, null), { kind: "gradient", learningRate: 4, steps: 3, clip: null });
  });

  const refused: [cells: Partial<ExactRule>, message: string][] = [
    [{ groupSize: 1 }, "groupSize must be an integer >= 2 or Infinity, got 1."],
    [{ groupSize: 2.5 }, "groupSize must be an integer >= 2 or Infinity, got 2.5."],
    [{ groupSize: NaN }, "groupSize must be an integer >= 2 or Infinity, got NaN."],
    [{ carry: "exact" }, 'a simultaneous order must have carry "off", got "exact".'],
    [{ baseline: "critic", scale: "group" }, 'scale "group" must have a group baseline, got "critic".'],
    [{ baseline: "none", scale: "group" }, 'scale "group" must have a group baseline, got "none".'],
    [
      { baseline: "critic", order: "reverse", carry: "clipped" },
      'carry "clipped" must have a baseline on returns, got "critic".',
    ],
    [{ step: { kind: "mirror", eta: 0 } }, "eta must be > 0, got 0."],
    [{ step: gradientStep(0) }, "learningRate must be > 0, got 0."],
    [{ step: reuseStep(1, 0) }, "steps must be an integer >= 1, got 0."],
    [{ step: reuseStep(1, 1.5) }, "steps must be an integer >= 1, got 1.5."],
  ];
  for (const [cells, message] of refused) {
    it(`refuses ${JSON.stringify(cells)}`, () => {
      assert.throws(() => exactRule(cells), {
        name: "RangeError",
        message: `Cannot make an exact rule: ${message}`,
      });
    });
  }

  it("takes what lies just inside", () => {
    exactRule({ groupSize: 2 });
    exactRule({ baseline: "critic", scale: "batch" });
    exactRule({ baseline: "none", scale: "batch" });
    exactRule({ baseline: "mean", order: "reverse", carry: "clipped" });
    exactRule({ baseline: "critic", order: "reverse", carry: "off" });
    exactRule({ step: { kind: "mirror", eta: 1e-9 } });
    exactRule({ step: reuseStep(1e-9, 1) });
    exactRule({ step: clipStep(0) });
  });
});
