// Uses internals of turnwise/exact.
import assert from "node:assert/strict";
import { createPolicy, make, recipe, train, type Batch, advantages, type Recipe } from "turnwise";
import { exactReturn, expectedUpdate } from "turnwise/internal/exact/checkRule/expectation";
import { cases, policyOf } from "turnwise/internal/exact/checkRule/games";
import { tokenGame } from "turnwise/internal/exact/checkRule/tokenGame";
import { recipeNeeds } from "turnwise/internal/rule/index";
import { assertClose, batchOf } from "./support";

const row = recipe("optimalToken");

/** Two tokens to choose from; `p` is the probability of the one that was taken, cell by cell. */
function taken(batch: Batch, p: readonly number[]): [Batch, { oldLogProb_ntlv: Float64Array }] {
  const sure = (x: number): number => (x === 0 ? -Infinity : Math.log(x));
  return [
    { ...batch, oldLogProb_ntl: Float64Array.from(p, sure) },
    { oldLogProb_ntlv: Float64Array.from(p.flatMap((x) => [sure(x), sure(1 - x)])) },
  ];
}

function of(batch: Batch, p: readonly number[], by: Recipe = row): Float64Array {
  const [known, whole] = taken(batch, p);
  return advantages(known, by, undefined, undefined, whole).advantage_ntl;
}

describe("the optimal token baseline", () => {
  it("weighs a return by 1 - 2 pi + sum pi^2, which is 2 (1 - p)^2 for two tokens", () => {
    // p = 1/2: 1 - 1 + 1/2 = 1/2. p = 3/4: 1 - 3/2 + 10/16 = 1/8. Returns 5 and 10: (2.5 + 1.25) / (5/8) = 6.
    const batch = batchOf({ groupId: ["a", "a"], return_n: [5, 10] });
    assertClose(of(batch, [0.5, 0.75]), [-1, 4], 1e-12);
  });

  it("adds the weights of earlier tokens, and subtracts at each place what is still earned there", () => {
    // Two turns each. Weights: 1/2, then 1/2 + 1/8 = 5/8; 1/8, then 1/8 + 1/2 = 5/8.
    // Rewards (1, 4), (2, 8): to go 5, 4 and 10, 8. b_0 = (2.5 + 1.25) / (5/8) = 6; b_1 = (4 + 8) / 2 = 6.
    const batch = batchOf({ groupId: ["a", "a"], return_n: [5, 10], turnCount: [2, 2] });
    batch.reward_nt.set([1, 4, 2, 8]);
    assertClose(of(batch, [0.5, 0.75, 0.75, 0.5]), [-1, -2, 4, 2], 1e-12);
  });

  it("counts a trajectory's sampled tokens over all its turns, and passes over masked ones, whatever stands there", () => {
    // The tool's token is in the middle of the first trajectory, at the end of the second: places are 0 and 1 in both.
    const batch = batchOf({ groupId: ["a", "a"], return_n: [1, 5], tokens: 3 });
    batch.mask_ntl.set([1, 0, 1, 1, 1, 0]);
    const [known, whole] = taken(batch, [0.5, 0.5, 0.5, 0.5, 0.5, 0.5]);
    for (const cell of [1, 5]) {
      known.oldLogProb_ntl[cell] = NaN;
      whole.oldLogProb_ntlv.fill(NaN, 2 * cell, 2 * cell + 2);
    }
    const { advantage_ntl } = advantages(known, row, undefined, undefined, whole);
    assertClose(advantage_ntl, [-2, 0, -2, 2, 2, 0], 1e-12);
  });

  it("is the mean of the group where all weights are equal", () => {
    const batch = batchOf({ groupId: ["a", "a", "b", "b"], return_n: [1, 2, 7, 3], turnCount: [2, 2, 2, 2] });
    const mean = advantages(batch, recipe("reinforce", { advantage: "mean" })).advantage_ntl;
    assertClose(of(batch, new Array<number>(8).fill(0.3)), mean, 1e-12);
  });

  it("gives a place that one trajectory alone reaches all that it still earns, or nothing if the row says so", () => {
    const batch = batchOf({ groupId: ["a", "a"], return_n: [2, 6], turnCount: [1, 2] });
    const half = [0.5, 0.5, 0.5, 0.5];
    assertClose(of(batch, half), [-2, 0, 2, 6], 1e-12);
    assertClose(
      of(batch, half, recipe("optimalToken", { advantage: { alone: "zero" } })),
      [-2, 0, 2, 0],
      1e-12,
    );
  });

  it("has no baseline where every step so far was certain: nothing is learned there", () => {
    const batch = batchOf({ groupId: ["a", "a"], return_n: [2, 6] });
    assertClose(of(batch, [1, 1]), [2, 6], 0);
  });

  it("divides by the deviation or the mean of the returns if the row says so, and by nothing where all are equal", () => {
    const batch = batchOf({ groupId: ["a", "a"], return_n: [1, 5] });
    const by = (scale: "mean" | { kind: "group"; unbiased: false; epsilon: 0 }): Recipe =>
      recipe("optimalToken", { scale });
    assertClose(of(batch, [0.5, 0.5], by("mean")), [-2 / 3, 2 / 3], 1e-12);
    const group = { kind: "group", unbiased: false, epsilon: 0 } as const;
    assertClose(of(batch, [0.5, 0.5], by(group)), [-1, 1], 1e-12);
    const same = batchOf({ groupId: ["a", "a"], return_n: [3, 3] });
    assertClose(of(same, [0.5, 0.75], by(group)), [0, 0], 1e-12);
  });

  it("asks for whole distributions, and refuses to do without", () => {
    assert.deepEqual(recipeNeeds(row).distributions, { reference: false, old: true });
    const batch = batchOf({ groupId: ["a", "a"], return_n: [1, 5] });
    assert.throws(() => advantages(batch, row), {
      name: "TypeError",
      message: "Cannot compute the optimal token baseline: it needs full distributions, got none.",
    });
  });

  it("gets them from the trainer, or the policy is told what it lacks", async () => {
    const o = { env: "LookUp-v0", recipe: row, updates: 1, groups: 2, groupSize: 2, seed: 0 } as const;
    const { value } = await train(o).next();
    assert.ok(Number.isFinite(value!.metrics["policy/gradNorm"]));
    const mute = createPolicy(make("LookUp-v0").spec, { kind: "logLinear" } as object);
    const evaluate = mute.evaluate.bind(mute);
    mute.evaluate = (batch, rows, turns, spent) => {
      const { logProb_ntlv: _whole, ...rest } = evaluate(batch, rows, turns, spent);
      return rest;
    };
    await assert.rejects(async () => await train({ ...o, policy: mute }).next(), {
      name: "TypeError",
      message:
        `Cannot train with recipe optimalToken: advantage "optimalToken" needs full distributions, and policy "${mute.name}" ` +
        "gives none. Give logProb_ntlv in evaluate(batch, rows, turns, spent, { distributions: true }).",
    });
  });

  it("is biased, as its own return is in the baseline: no multiple of the exact gradient", () => {
    const { game, policy } = cases.lookUp;
    const { gradient } = exactReturn(game, policy);
    const { mean } = expectedUpdate(row, game, policy, 3);
    const ratio = mean.map((x, i) => x / gradient[i]!);
    assert.ok(Math.max(...ratio) - Math.min(...ratio) > 0.01);
  });

  // A coin that pays with probability .1. Relative variance: that of one group's step over the square of its mean.
  const game = tokenGame("rare", ["task"], (play) => {
    play.turn("task");
    play.reward(play.choose("pick", ["rare", "common"]) === "rare" ? 1 : 0);
  });
  const policy = policyOf(game, { pick: [0.1, 0.9] });
  const { gradient } = exactReturn(game, policy);
  const step = (one: Recipe, G: number): { share: number; relative: number } => {
    const { mean, variance } = expectedUpdate(one, game, policy, G);
    return { share: mean[0]! / gradient[0]!, relative: variance[0]! / mean[0]! ** 2 };
  };
  const plain = recipe("reinforce", { advantage: "mean" });

  it("pays off in large groups: half the relative variance of the group's mean in groups of 16, none less in groups of 4", () => {
    assert.ok(step(row, 4).relative > step(plain, 4).relative);
    const ratio = step(row, 16).relative / step(plain, 16).relative;
    assert.ok(ratio > 0.45 && ratio < 0.55, String(ratio));
  });

  it("shrinks the step the more the smaller the group: to .29 of the gradient in groups of 4, where the mean keeps (G - 1) / G", () => {
    assertClose([step(plain, 4).share], [3 / 4], 1e-12);
    assertClose([step(row, 4).share, step(row, 16).share], [0.291, 0.79], 1e-3);
  });
});
