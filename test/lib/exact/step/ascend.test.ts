import assert from "node:assert/strict";
import { ascend } from "turnwise/internal/exact/step/ascend";
import { close } from "../close";

const even = Float64Array.of(0.5, 0.5);
/** A = (1, -1) on an even row: g = (1, -1). */
const row = {
  current: even,
  old: even,
  positive: Float64Array.of(0.5, 0),
  negative: Float64Array.of(0, -0.5),
  reach: 1,
};
const rate = Math.log(2);

/** p_0 of a row of two, from the odds p_0 : p_1. */
const fromOdds = (odds: number): number => odds / (1 + odds);

describe("gradient ascent on the expected surrogate", () => {
  it("adds learningRate p_a (g_a - mean) to the logits", () => {
    // g = (1, -1), mean 0: logits move by +- (ln 2)/2, the odds by 2.
    const p = ascend(row, { learningRate: rate, steps: 1, clip: null });
    close(p[0]!, 2 / 3, 12);
    close(p[1]!, 1 / 3, 12);
    // Old (3/4, 1/4), g = (1, 0), mean 3/4: logits by 3/4 x 1/4 and 1/4 x -3/4, the odds by exp(.375 rate) = 2.
    const old = Float64Array.of(0.75, 0.25);
    const uneven = { ...row, current: old, old, positive: old.map((x, a) => (a === 0 ? x : 0)) };
    const q = ascend(
      { ...uneven, negative: new Float64Array(2) },
      { learningRate: rate / 0.375, steps: 1, clip: null },
    );
    close(q[0]!, fromOdds(6), 12);
  });

  it("takes as many steps as asked for, each from the last policy but with the batch of the old one", () => {
    const one = ascend(row, { learningRate: 0.3, steps: 1, clip: null });
    const two = ascend(row, { learningRate: 0.3, steps: 2, clip: null });
    assert.deepEqual(two, ascend({ ...row, current: one }, { learningRate: 0.3, steps: 1, clip: null }));
    assert.notDeepEqual(two, one);
  });

  it("loses the gain above 1 + high and the loss below 1 - low, each with its own bound", () => {
    const after = (low: number, high: number): number =>
      ascend(row, { learningRate: rate, steps: 2, clip: { low, high } })[0]!;
    // The first step gives (2/3, 1/3). 2/3 > 1.2 x .5 and 1/3 < .8 x .5: nothing pushes any more.
    close(after(0.2, 0.2), 2 / 3, 12);
    // Only one side pushes, g = (0, -1) or (1, 0): logits by +- 2/9 ln 2 more, the odds by 2^(4/9).
    close(after(0.5, 0.2), fromOdds(2 ** (1 + 4 / 9)), 12);
    close(after(0.2, 0.5), fromOdds(2 ** (1 + 4 / 9)), 12);
    // Both push, g = (1, -1), mean 1/3: logits by 2/3 x 2/3 and 1/3 x -4/3, the odds by 2^(8/9).
    close(after(0.5, 0.5), fromOdds(2 ** (1 + 8 / 9)), 12);
  });

  it("at the bound itself nothing pushes", () => {
    const current = Float64Array.of(0.6, 0.4); // 1.2 x .5 and .8 x .5
    const p = ascend({ ...row, current }, { learningRate: 1, steps: 1, clip: { low: 0.2, high: 0.2 } });
    close(p[0]!, 0.6, 12);
  });

  it("pushes neither way at an action that the batch does not hold", () => {
    // g = (0, 1/2), mean 1/4: logits by 1/2 x -1/4 and 1/2 x 1/4, the odds by exp(-rate/4) = 1/2.
    const p = ascend(
      {
        ...row,
        old: Float64Array.of(0, 1),
        positive: Float64Array.of(0, 0.5),
        negative: new Float64Array(2),
      },
      { learningRate: 4 * rate, steps: 1, clip: null },
    );
    close(p[0]!, 1 / 3, 12);
  });

  it("does not overflow at a huge learning rate", () => {
    assert.deepEqual([...ascend(row, { learningRate: 1e6, steps: 3, clip: null })], [1, 0]);
  });
});
