import assert from "node:assert/strict";
import fc from "fast-check";
import { advantages, recipe } from "turnwise";
import { assertClose, batchOf } from "./support";

describe("whitening over tokens (REINFORCE++-baseline)", () => {
  const row = recipe("reinforcePlusPlusBaseline", { scale: { epsilon: 0 } });

  it("counts the advantage of a trajectory once for each of its tokens", () => {
    // Returns 4 and 0, group mean 2: advantages 2 and -2, with 1 and 3 tokens. Over tokens: mean (2 - 6) / 4 = -1, squares
    // 9 + 3 * 1 = 12, deviation sqrt(12 / 4) = sqrt 3: 3 / sqrt 3 = sqrt 3 and -1 / sqrt 3.
    const batch = batchOf({ groupId: ["a", "a"], return_n: [4, 0], turnCount: [1, 3] });
    const [a, b] = [Math.sqrt(3), -1 / Math.sqrt(3)];
    assertClose(advantages(batch, row).advantage_ntl, [a, 0, 0, b, b, b], 1e-12);
    // With n - 1: sqrt(12 / 3) = 2.
    const unbiased = recipe("reinforcePlusPlusBaseline", { scale: { unbiased: true, epsilon: 0 } });
    assertClose(advantages(batch, unbiased).advantage_ntl, [1.5, 0, 0, -0.5, -0.5, -0.5], 1e-12);
    // And an epsilon of 2: 3 / 4, -1 / 4.
    const added = recipe("reinforcePlusPlusBaseline", { scale: { unbiased: true, epsilon: 2 } });
    assertClose(advantages(batch, added).advantage_ntl, [0.75, 0, 0, -0.25, -0.25, -0.25], 1e-12);
  });

  it("does not count masked tokens, and gives 0 to equal advantages", () => {
    const batch = batchOf({ groupId: ["a", "a"], return_n: [4, 0], tokens: 2 });
    batch.mask_ntl[0] = 0;
    batch.oldLogProb_ntl[0] = NaN;
    // 2 once, -2 twice: mean -2/3, squares (8/3)^2 + 2 (4/3)^2 = 96/9, over 3: 32/9, deviation 4 sqrt 2 / 3.
    const std = (4 * Math.SQRT2) / 3;
    assertClose(advantages(batch, row).advantage_ntl, [0, 8 / 3 / std, -4 / 3 / std, -4 / 3 / std], 1e-12);
    const same = batchOf({ groupId: ["a", "a"], return_n: [0.1, 0.1] });
    assert.ok(advantages(same, row).advantage_ntl.every((a) => a === 0));
    same.mask_ntl.fill(0);
    assert.ok(advantages(same, row).advantage_ntl.every((a) => a === 0));
  });

  it("is the scale of the batch where all trajectories are equally long, and for an advantage of tokens", () => {
    const returns = fc.array(fc.integer({ min: -8, max: 8 }), { minLength: 4, maxLength: 4 });
    const scale = { kind: "batch", unbiased: false, clamp: null } as const;
    fc.assert(
      fc.property(returns, (return_n) => {
        const batch = batchOf({ groupId: ["a", "a", "b", "b"], return_n, tokens: 2 });
        const whole = recipe("reinforcePlusPlusBaseline");
        const byUnit = recipe("reinforcePlusPlusBaseline", { scale });
        assertClose(advantages(batch, whole).advantage_ntl, advantages(batch, byUnit).advantage_ntl, 1e-9);
        const ragged = batchOf({ groupId: ["a", "a", "b", "b"], return_n, turnCount: [1, 3, 2, 1] });
        const tokens = recipe("reinforcePlusPlus", { scale: { kind: "tokens", unbiased: false } });
        const { advantage_ntl } = advantages(ragged, recipe("reinforcePlusPlus"));
        assertClose(advantages(ragged, tokens).advantage_ntl, advantage_ntl, 1e-9);
      }),
    );
  });

  it("with one group takes off the mean by length, which is OPO's baseline", () => {
    const batch = batchOf({ groupId: ["a", "a", "a"], return_n: [1, 5, 2], turnCount: [1, 3, 2] });
    const white = advantages(batch, row).advantage_ntl;
    const opo = advantages(batch, recipe("opo")).advantage_ntl;
    const ratio = opo[0]! / white[0]!;
    assertClose(white.map((a) => ratio * a), opo, 1e-12); // prettier-ignore
  });
});
