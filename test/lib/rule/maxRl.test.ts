// Uses internals of turnwise/exact.
import assert from "node:assert/strict";
import fc from "fast-check";
import { custom, type Batch, advantages, groupAdvantage, recipe } from "turnwise";
import { exactRuleOf, expectedAdvantageByReturn } from "turnwise/exact";
import { exactReturn, expectedUpdate } from "turnwise/internal/exact/checkRule/expectation";
import { policyOf } from "turnwise/internal/exact/checkRule/games";
import { tokenGame } from "turnwise/internal/exact/checkRule/tokenGame";
import { assertClose, batchOf } from "./support";

/** MaxRL's advantage in the plain sum of log-probs, for which the paper states its objective. */
const plain = recipe("reinforce", { advantage: "mean", scale: "mean" });

describe("scale mean", () => {
  const o = { baseline: "mean", scale: "mean" } as const;

  it("divides by the mean of the group", () => {
    // Mean 1/4: (1 - .25) / .25 = 3, (0 - .25) / .25 = -1. Mean 4.5: 1.5 / 4.5 = 1/3.
    assertClose(groupAdvantage([1, 0, 0, 0], [0, 0, 0, 0], o), [3, -1, -1, -1], 0);
    assertClose(groupAdvantage([6, 3], [0, 0], o), [1 / 3, -1 / 3], 1e-7);
  });

  it("adds epsilon to the mean, and none unless asked", () => {
    // Mean .5, .5 + .5 = 1.
    assertClose(groupAdvantage([1, 0], [0, 0], { ...o, epsilon: 0.5 }), [0.5, -0.5], 0);
    assert.deepEqual(recipe("maxRl").scale, { kind: "mean", epsilon: 0 });
  });

  it("gives 0 where the mean is 0 or below, and where all are equal", () => {
    for (const rewards of [
      [0, 0],
      [1, -1],
      [-1, -3],
      [2, 2],
    ]) {
      assert.deepEqual([...groupAdvantage(rewards, [0, 0], o)], [0, 0], rewards.join());
    }
  });

  it("does not change if rewards are counted in other units, and does if all get more", () => {
    const positive = fc.array(fc.integer({ min: 0, max: 64 }), { minLength: 2, maxLength: 6 });
    fc.assert(
      fc.property(positive, fc.constantFrom(0.25, 2, 8), (rewards, unit) => {
        const group = rewards.map(() => 0);
        const scaled = groupAdvantage(rewards.map((r) => unit * r), group, o); // prettier-ignore
        assertClose(scaled, groupAdvantage(rewards, group, o), 1e-6);
      }),
    );
    // (2, 1): mean 1.5, +-1/3, where (1, 0) has +-1.
    assertClose(groupAdvantage([2, 1], [0, 0], o), [1 / 3, -1 / 3], 1e-7);
  });

  it("is the same in the exact laboratory: phi_G by hand for groups of two", () => {
    // Returns 0 or 1 with p = 1/4, G = 2. Given 1: mate 0 (3/4): (1 - .5) / .5 = 1; mate 1: 0. Given 0: mate 1 (1/4): -1.
    const phi = expectedAdvantageByReturn(
      { value: [0, 1], probability: [0.75, 0.25] },
      { groupSize: 2, scale: "mean" },
    );
    assertClose(phi, [-0.25, 0.75], 1e-12);
    // In the limit (R - p) / p: -1 and 3.
    const limit = expectedAdvantageByReturn(
      { value: [0, 1], probability: [0.75, 0.25] },
      { groupSize: Infinity, scale: "mean" },
    );
    assertClose(limit, [-1, 3], 1e-12);
    assert.equal(exactRuleOf(plain).scale, "mean");
  });

  it("leaves groups alone that others must divide: no row without groups takes it", () => {
    assert.throws(() => recipe("ppo", { scale: "mean" }), {
      name: "RangeError",
      message:
        'Cannot make recipe ppo: scale.kind must be "none" or "batch" or "tokens" with advantage.kind "gae", which has no groups, ' +
        'got "mean".',
    });
  });

  it("reads no reward of a turn that was not taken", () => {
    const batch = batchOf({ groupId: ["a", "a"], return_n: [1, 0], turnCount: [2, 1] });
    batch.reward_nt[3] = NaN;
    assertClose(advantages(batch, recipe("maxRl")).advantage_ntl, [1, 1, -1, 0], 0);
  });
});

describe("MaxRL's objective", () => {
  // A coin that pays 1 with probability p. J_K = - sum_{k <= K} (1 - p)^k / k, the log-likelihood of a success, truncated:
  // its gradient is sum_{k < K} (1 - p)^k grad p.
  const game = tokenGame("coin", ["coin"], (play) => {
    play.turn("coin");
    play.reward(play.choose("coin", ["heads", "tails"]) === "heads" ? 1 : 0);
  });
  const truncated = (p: number, order: number): number =>
    Array.from({ length: order }, (_, k) => (1 - p) ** k).reduce((a, b) => a + b, 0);

  for (const G of [2, 3, 5, 8]) {
    it(`is climbed by its expected gradient at order G - 1 = ${G - 1}, not G, with groups of ${G}`, () => {
      for (const p of [0.1, 0.35, 0.8]) {
        const policy = policyOf(game, { coin: [p, 1 - p] });
        const { gradient } = exactReturn(game, policy);
        const { mean } = expectedUpdate(plain, game, policy, G);
        assertClose(mean, gradient.map((g) => truncated(p, G - 1) * g), 1e-12); // prettier-ignore
        assert.ok(Math.abs(mean[0]! / gradient[0]! - truncated(p, G)) > 1e-6);
      }
    });
  }

  it("is of order G where a group that fails gets -1 for all, as the mean is subtracted there, too", () => {
    const whole = custom("also where all fail", ({ return_n, groupId }: Batch) =>
      groupId.map((id, n) => {
        const mates = groupId.flatMap((other, k) => (other === id ? [return_n[k]!] : []));
        const mean = mates.reduce((a, b) => a + b, 0) / mates.length;
        return mean === 0 ? -1 : (return_n[n]! - mean) / mean;
      }),
    );
    for (const G of [2, 5]) {
      const policy = policyOf(game, { coin: [0.35, 0.65] });
      const { gradient } = exactReturn(game, policy);
      const { mean } = expectedUpdate(recipe("reinforce", { advantage: whole }), game, policy, G);
      assertClose(mean, gradient.map((g) => truncated(0.35, G) * g), 1e-12); // prettier-ignore
    }
  });

  it("is the return with groups of two, and nears the whole log-likelihood, grad p / p, as groups grow", () => {
    const policy = policyOf(game, { coin: [0.5, 0.5] });
    const { gradient } = exactReturn(game, policy);
    const factor = (G: number): number => expectedUpdate(plain, game, policy, G).mean[0]! / gradient[0]!;
    assertClose([factor(2)], [1], 1e-12);
    // 1 / p = 2; what is missing at order 11 is sum_{k >= 11} 2^-k = 2^-10.
    assertClose([factor(12)], [2 - 2 ** -10], 1e-12);
  });
});
