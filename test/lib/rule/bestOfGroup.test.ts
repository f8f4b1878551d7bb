// Uses internals of turnwise/exact.
import assert from "node:assert/strict";
import fc from "fast-check";
import { exactReturn, expectedUpdate } from "turnwise/internal/exact/checkRule/expectation";
import { policyOf } from "turnwise/internal/exact/checkRule/games";
import { tokenGame } from "turnwise/internal/exact/checkRule/tokenGame";
import { advantages, recipe } from "turnwise";
import { assertClose, batchOf } from "./support";

/** Without a deviation, in the plain sum of log-probs: the estimator alone. */
const plain = recipe("reinforce", { advantage: "bestOfGroup" });

describe("the best of the group (GRPO for pass@k)", () => {
  it("is the margin over the second best, and 0 for all others", () => {
    // 5 beats 3 by 2; of two equal best ones, neither is missed if it goes.
    const batch = batchOf({ groupId: ["a", "a", "a", "b", "b", "b"], return_n: [1, 5, 3, 4, 2, 4] });
    assertClose(advantages(batch, plain).advantage_ntl, [0, 2, 0, 0, 0, 0], 0);
  });

  it("is over the deviation of the group, and gives 0 to a group of equal returns", () => {
    // Mean 3, deviation with n - 1: sqrt((4 + 4 + 0) / 2) = 2, so 2 / 2 = 1.
    const group = recipe("grpoPassK", { scale: { epsilon: 0 } });
    const batch = batchOf({ groupId: ["a", "a", "a"], return_n: [1, 5, 3] });
    assertClose(advantages(batch, group).advantage_ntl, [0, 1, 0], 1e-12);
    const same = batchOf({ groupId: ["a", "a"], return_n: [0.1, 0.1] });
    assertClose(advantages(same, group).advantage_ntl, [0, 0], 0);
    // By the mean, as MaxRL has it: 2 / 3, and nothing where the mean is not above 0.
    const byMean = recipe("reinforce", { advantage: "bestOfGroup", scale: "mean" });
    assertClose(advantages(batch, byMean).advantage_ntl, [0, 2 / 3, 0], 1e-12);
    const below = batchOf({ groupId: ["a", "a"], return_n: [-3, 1] });
    assertClose(advantages(below, byMean).advantage_ntl, [0, 0], 0);
  });

  it("does not change if all get as much more, and grows with the unit", () => {
    const returns = fc.array(fc.integer({ min: -8, max: 8 }), { minLength: 3, maxLength: 5 });
    fc.assert(
      fc.property(returns, fc.integer({ min: -4, max: 4 }), (return_n, more) => {
        const groupId = return_n.map(() => "a");
        const of = (f: (r: number) => number): Float64Array =>
          advantages(batchOf({ groupId, return_n: return_n.map(f) }), plain).advantage_ntl;
        assertClose(of((r) => r + more), of((r) => r), 1e-12); // prettier-ignore
        assertClose(of((r) => 2 * r), of((r) => r).map((a) => 2 * a), 1e-12); // prettier-ignore
      }),
    );
  });

  it("refuses a group of one", () => {
    assert.throws(() => advantages(batchOf({ groupId: ["a"], return_n: [3] }), plain), {
      name: "RangeError",
      message:
        "Cannot compute best-of-group advantages: every group must have at least 2 members, but group a has 1.",
    });
  });

  // A coin that pays 1 with probability p: pass@G = 1 - (1 - p)^G, and its gradient is G (1 - p)^(G - 1) grad p.
  const coin = tokenGame("coin", ["coin"], (play) => {
    play.turn("coin");
    play.reward(play.choose("coin", ["heads", "tails"]) === "heads" ? 1 : 0);
  });

  for (const G of [2, 3, 5]) {
    it(`climbs pass@${G} with groups of ${G}, a step being the mean over its trajectories`, () => {
      for (const p of [0.1, 0.35, 0.8]) {
        const policy = policyOf(coin, { coin: [p, 1 - p] });
        const { gradient } = exactReturn(coin, policy);
        // Each of the G trajectories is alone in its success with (1 - p)^(G - 1): the sum over G, divided by N = G.
        const factor = (1 - p) ** (G - 1);
        assertClose(expectedUpdate(plain, coin, policy, G).mean, gradient.map((g) => factor * g), 1e-12); // prettier-ignore
      }
    });
  }

  // Three prizes: the expected best of two is sum over pairs of p_i p_j max(r_i, r_j).
  const prizes = [0, 1, 3];
  const lottery = tokenGame("lottery", ["draw"], (play) => {
    play.turn("draw");
    play.reward(
      prizes[["none", "small", "large"].indexOf(play.choose("prize", ["none", "small", "large"]))]!,
    );
  });

  it("climbs the expected best of a group for any rewards, by finite differences of its enumeration", () => {
    const logits = [0.3, -0.2, 0.1];
    const softmax = (x: readonly number[]): number[] => {
      const e = x.map(Math.exp);
      const all = e.reduce((a, b) => a + b, 0);
      return e.map((one) => one / all);
    };
    const best = (x: readonly number[]): number => {
      const p = softmax(x);
      return p.reduce(
        (sum, a, i) => sum + p.reduce((inner, b, j) => inner + a * b * Math.max(prizes[i]!, prizes[j]!), 0),
        0,
      );
    };
    const h = 1e-5;
    const slope = logits.map((_, k) => {
      const moved = (by: number): number[] => logits.map((x, i) => (i === k ? x + by : x));
      return (best(moved(h)) - best(moved(-h))) / (2 * h);
    });
    const { mean } = expectedUpdate(plain, lottery, policyOf(lottery, { prize: softmax(logits) }), 2);
    // The step is a mean over two trajectories, the gradient their sum.
    assertClose(mean, slope.map((g) => g / 2), 1e-8); // prettier-ignore
  });
});
