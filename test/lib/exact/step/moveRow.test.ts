import assert from "node:assert/strict";
import { moveRow } from "turnwise/internal/exact/step/moveRow";
import type { RowBatch } from "turnwise/internal/exact/step/rowBatch";
import { close } from "../close";

const greedy = { kind: "greedy" } as const;
const mirror = { kind: "mirror", eta: Math.log(2) } as const;

/** A row that half of the batch visits. */
const row = (cells: Partial<Record<keyof Omit<RowBatch, "reach">, readonly number[]>>): RowBatch => {
  const { old = [0.5, 0.5], current = old, positive = old.map(() => 0), negative = old.map(() => 0) } = cells;
  return {
    old: Float64Array.from(old),
    current: Float64Array.from(current),
    positive: Float64Array.from(positive),
    negative: Float64Array.from(negative),
    reach: 0.5,
  };
};

describe("moving one row", () => {
  it("leaves a row alone that the batch never visits, with every step", () => {
    const unseen = { ...row({ positive: [1, 0] }), reach: 0 };
    assert.equal(moveRow(unseen, greedy), unseen.current);
    assert.equal(moveRow(unseen, mirror), unseen.current);
  });

  it("greedy compares advantages given the action, not their sums over the batch", () => {
    // A = .08/(.8 x .5) = .2 and .04/(.2 x .5) = .4.
    assert.deepEqual([...moveRow(row({ old: [0.8, 0.2], positive: [0.08, 0.04] }), greedy)], [0, 1]);
    // Losses count too: (.08 - .06)/.4 = .05 and .04/.1 = .4 on one side, .2 and (.04 - .03)/.1 = .1 on the other.
    assert.deepEqual(
      [...moveRow(row({ old: [0.8, 0.2], positive: [0.08, 0.04], negative: [0, -0.03] }), greedy)],
      [1, 0],
    );
  });

  it("greedy takes the first of equals, and does not move where nothing is better", () => {
    const equals = row({ old: [0.4, 0.4, 0.2], positive: [0.2, 0.2 + 1e-15, 0] });
    assert.deepEqual([...moveRow(equals, greedy)], [1, 0, 0]);
    const best = row({ old: [0.5, 0.5], current: [1, 0], positive: [0.2, 0.1] });
    assert.equal(moveRow(best, greedy), best.current);
    const level = row({ old: [0.5, 0.5], current: [0.3, 0.7], positive: [0.1, 0.1 + 1e-15] });
    assert.equal(moveRow(level, greedy), level.current);
  });

  it("greedy judges the current row, which another turn may have moved already", () => {
    // A = (.4, .8); the old row is worth .6, the current one .8: no better action is left.
    const moved = row({ old: [0.5, 0.5], current: [0, 1], positive: [0.1, 0.2] });
    assert.equal(moveRow(moved, greedy), moved.current);
  });

  it("mirror multiplies by exp(eta A), A given the information state", () => {
    // A = .25/(.5 x .5) = 1 and -1; eta = ln 2: weights .5 and .5/4, that is 4 : 1.
    const p = moveRow(row({ positive: [0.25, 0], negative: [0, -0.25] }), mirror);
    close(p[0]!, 0.8, 12);
    close(p[1]!, 0.2, 12);
    assert.deepEqual([...moveRow(row({ positive: [0.25, 0] }), { kind: "mirror", eta: 1e5 })], [1, 0]);
  });

  it("mirror gives an action that the batch does not hold the least advantage of the others", () => {
    // A = (1, -1, -1): weights .4, .4/4, .2/4 = 8 : 2 : 1.
    const p = moveRow(
      row({ old: [0.5, 0.5, 0], current: [0.4, 0.4, 0.2], positive: [0.25, 0, 0], negative: [0, -0.25, 0] }),
      mirror,
    );
    [8, 2, 1].forEach((x, a) => close(p[a]!, x / 11, 12));
  });

  it("clip and gradient are the maximizer and the ascent of that row", () => {
    const push = row({ positive: [0.25, 0], negative: [0, -0.25] });
    const clipped = moveRow(push, { kind: "clip", clipLow: 0.3, clipHigh: 0.1 });
    close(clipped[0]!, 0.65, 12); // as in clippedArgmax.test.ts
    // g = (.5, -.5): the odds by exp(rate/2) = 2.
    const up = moveRow(push, { kind: "gradient", learningRate: 2 * Math.log(2), steps: 1, clip: null });
    close(up[0]!, 2 / 3, 12);
  });
});
