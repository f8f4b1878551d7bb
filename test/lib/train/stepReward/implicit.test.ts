import assert from "node:assert/strict";
import {
  advantages,
  collect,
  createPolicy,
  createRng,
  make,
  recipe,
  scriptedBatch,
  train,
  type Checkpoint,
} from "turnwise";
import { exactTurns } from "turnwise/exact";
import { ImplicitReward, preference, stepRewards } from "turnwise/internal/train/stepReward/implicit";
import { assertClose } from "../../rule/support";

const o = { beta: 0.5, pooling: "mean", learningRate: 0.1 } as const;

/** One group: a wrong answer at once, and a right one after a look; old log-probs are all -1. */
const pair = () => {
  const batch = scriptedBatch(make("LookUp-v0"), [
    [["ANSWER", "0"]],
    [
      ["LOOKUP", "0"],
      ["ANSWER", "3"],
    ],
  ]);
  return { ...batch, oldLogProb_ntl: batch.oldLogProb_ntl.map(() => -1) };
};
/** The second policy's log-probs: the first trajectory's fall by .2 a token, the second's rise by .4, then by .1. */
const judged = [-1.2, -1.2, 0, 0, -0.6, -0.6, -0.9, -0.9];

describe("the implicit step reward", () => {
  it("is beta times the log-ratio, summed over a turn", () => {
    // .5 (2 x -.2) = -.2; .5 (2 x .4) = .4; .5 (2 x .1) = .1
    assertClose(stepRewards(pair(), judged, 0.5), [-0.2, 0, 0.4, 0.1], 1e-12);
  });

  it("prefers the better trajectory of a pair, by the mean of its steps or by their sum", () => {
    const log1pExp = (x: number): number => Math.log1p(Math.exp(x));
    // Mean: Q is .25 against -.2, so the loss is log(1 + e^-.45); sum: .5 against -.2.
    const mean = preference(pair(), judged, o);
    const sum = preference(pair(), judged, { ...o, pooling: "sum" });
    assertClose([mean.loss, sum.loss], [log1pExp(-0.45), log1pExp(-0.7)], 1e-12);
    assert.deepEqual([mean.pairs, mean.accuracy], [1, 1]);
    // dL/dQ is -+ 1 / (1 + e^.45); a token of the second has beta / 2 of it, one of the first beta.
    const push = 1 / (1 + Math.exp(0.45));
    const [first, second] = [0.5 * push, -0.25 * push];
    assertClose(mean.dLogProb_ntl, [first, first, 0, 0, second, second, second, second], 1e-12);
  });

  it("has the gradient of its loss", () => {
    const at = (shift: number, i: number): number => {
      const moved = judged.map((x, k) => (k === i ? x + shift : x));
      return preference(pair(), moved, { ...o, pooling: "sum" }).loss;
    };
    const { dLogProb_ntl } = preference(pair(), judged, { ...o, pooling: "sum" });
    for (const i of [0, 1, 4, 7]) {
      assertClose([dLogProb_ntl[i]!], [(at(1e-5, i) - at(-1e-5, i)) / 2e-5], 1e-8, `cell ${i}`);
    }
  });

  it("leaves its second policy alone where no two trajectories of a group differ", () => {
    const env = make("LookUp-v0");
    const policy = createPolicy(env.spec, { initialScale: 1 });
    const reward = new ImplicitReward(policy, o);
    const batch = collect(env, policy, { groups: 2, groupSize: 4, rng: createRng(1) });
    const rng = createRng(1);
    const { metrics } = reward.judge({
      batch: { ...batch, return_n: batch.return_n.fill(1) },
      policy,
      env,
      rng,
    });
    assert.equal(metrics["stepReward/preferenceLoss"], undefined);
    assert.equal(reward.state().optimizer.steps, 0);
  });

  it("says nothing at first, and learns on the policy's own trajectories whom to prefer", () => {
    const env = make("LookUp-v0", { wrongPenalty: 1 });
    const policy = createPolicy(env.spec);
    const reward = new ImplicitReward(policy, { beta: 0.05, pooling: "mean", learningRate: 0.06 });
    const exact = exactTurns(env, policy);
    let first: number | undefined;
    let accuracy = 0;
    let agreement = 0;
    for (let k = 0; k < 60; k++) {
      const batch = collect(env, policy, { groups: 16, groupSize: 8, rng: createRng(k) });
      const { step_nt, metrics } = reward.judge({ batch, policy, env, rng: createRng(k) });
      first ??= Math.max(...step_nt.map(Math.abs));
      accuracy = metrics["stepReward/preferenceAccuracy"]!;
      agreement = correlation(step_nt, exact.advantage_nt(batch), batch.turnCount_n, batch.shape[1]);
    }
    assert.ok(first! < 1e-12, "the second policy starts as a copy");
    assert.ok(accuracy > 0.7, `accuracy ${accuracy}`);
    assert.ok(agreement > 0.5, `correlation with the exact advantage ${agreement}`);
  });
});

describe("episodePlusStep", () => {
  it("adds to the leave-one-out return that of the step among all turns, or among first turns as the code has it", () => {
    const step_nt = Float64Array.of(-0.2, 0, 0.4, 0.1);
    // Episode: -1/3 - 1 = -4/3 and 4/3. All three turns: -.2 - .25, .4 + .05, .1 - .1; first turns: 2 (s - .1).
    const batch = { ...pair(), step_nt };
    const of = (among: "allTurns" | "firstTurns") =>
      advantages(batch, recipe("iStar", { advantage: { among } })).advantage_ntl;
    const [worse, better] = [-4 / 3, 4 / 3];
    const twice = (xs: readonly number[]) => xs.flatMap((x) => [x, x]);
    assertClose(of("allTurns"), twice([worse - 0.45, 0, better + 0.45, better]), 1e-12);
    assertClose(of("firstTurns"), twice([worse - 0.6, 0, better + 0.6, better]), 1e-12);
  });
});

describe("a run of iStar", () => {
  it("resumes from its checkpoint to the same bits, second policy included", async () => {
    const settings = { env: "LookUp-v0", recipe: "iStar", groups: 4, groupSize: 4, seed: 3 } as const;
    const whole = train({ ...settings, updates: 8 });
    for await (const _ of whole);
    const half = train({ ...settings, updates: 4 });
    for await (const _ of half);
    const stored = JSON.parse(JSON.stringify(half.checkpoint())) as Checkpoint;
    assert.notEqual(stored.stepReward, undefined);
    const resumed = train({ resume: stored, updates: 8 });
    for await (const _ of resumed);
    assert.deepEqual(resumed.checkpoint().stepReward, whole.checkpoint().stepReward);
    assert.deepEqual([...resumed.policy.parameters], [...whole.policy.parameters]);
  });
});

function correlation(a: ArrayLike<number>, b: ArrayLike<number>, turnCount_n: Int32Array, T: number): number {
  const pairs = [...turnCount_n.entries()].flatMap(([n, turns]) =>
    Array.from({ length: turns }, (_, t) => [a[n * T + t]!, b[n * T + t]!] as const),
  );
  const mean = (of: (p: readonly [number, number]) => number): number =>
    pairs.reduce((sum, p) => sum + of(p), 0) / pairs.length;
  const [ma, mb] = [mean(([x]) => x), mean(([, y]) => y)];
  const cov = mean(([x, y]) => (x - ma) * (y - mb));
  return cov / Math.sqrt(mean(([x]) => (x - ma) ** 2) * mean(([, y]) => (y - mb) ** 2));
}
