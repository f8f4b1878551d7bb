import assert from "node:assert/strict";
import {
  make,
  type EnumerableEnv,
  enumerateReturn,
  TabularPolicy,
  collect,
  advantages,
  recipe,
  surrogateGradient,
  type Recipe,
  type RecipeOverrides,
  createRng,
} from "turnwise";
import { draws } from "./support";

const groupSize = 4;
const off = { klReference: null, entropyCoef: 0, clippingTriggered: "off" } as const;
const sum = { kind: "constant", length: 1, per: "batch" } as const;
const plain = { scale: "none", aggregate: sum, regularizer: off } as const satisfies RecipeOverrides;
const ownMean = (groupSize - 1) / groupSize;

/** Every recipe that estimates the policy gradient once its scale and its loss denominator are taken out. */
const unbiased: { title: string; row: Recipe; factor: number }[] = [
  { title: "reinforce", row: recipe("reinforce"), factor: 1 },
  { title: "rloo", row: recipe("rloo"), factor: 1 },
  { title: "loop", row: recipe("loop", plain), factor: 1 },
  { title: "reinforcePlusPlus", row: recipe("reinforcePlusPlus", plain), factor: 1 },
  { title: "ppo with any critic", row: recipe("ppo", plain), factor: 1 },
  { title: "starPo with any critic", row: recipe("starPo", plain), factor: 1 },
  { title: "turnPpo with any critic", row: recipe("turnPpo", plain), factor: 1 },
  { title: "soPpo with any critic", row: recipe("soPpo", plain), factor: 1 },
  { title: "stepPo with any critic", row: recipe("stepPo", plain), factor: 1 },
  {
    title: "happo with any critic, over all trajectories",
    row: recipe("happo", { scale: "none", aggregate: sum }),
    factor: 1,
  },
  {
    title: "hiper at gamma = lambda = 1 with any critic",
    row: recipe("hiper", {
      ...plain,
      advantage: { gamma: 1, lambdaTurn: 1, lambdaSegment: 1, whitenRoles: false },
    }),
    factor: 1,
  },
  {
    title: "bi-level GAE at gamma = lambda = 1 with any critic",
    row: recipe("ppo", { ...plain, advantage: { kind: "biLevelGae", gammaTurn: 1 } }),
    factor: 1,
  },
  {
    title: "reinforce with the group's own mean",
    row: recipe("reinforce", { advantage: "mean" }),
    factor: ownMean,
  },
  {
    title: "verlGrpo without std",
    row: recipe("verlGrpo", plain),
    factor: ownMean,
  },
  { title: "drGrpo", row: recipe("drGrpo", { aggregate: sum }), factor: ownMean },
  { title: "grpo without std", row: recipe("grpo", plain), factor: ownMean },
  {
    title: "dapo without std and filter",
    row: recipe("dapo", { ...plain, filter: "none" }),
    factor: ownMean,
  },
  { title: "gspo without std", row: recipe("gspo", plain), factor: ownMean },
  { title: "sapo without std", row: recipe("sapo", plain), factor: ownMean },
  { title: "soGrpo without std", row: recipe("soGrpo", plain), factor: ownMean },
  {
    title: "gigpo with weight 0",
    row: recipe("gigpo", { ...plain, advantage: { weight: 0 } }),
    factor: ownMean,
  },
  { title: "seeUpo", row: recipe("seeUpo"), factor: ownMean },
  {
    title: "seeUpo in the authors' form without whitening",
    row: recipe("seeUpo", { variant: "authors", ...plain }),
    factor: ownMean,
  },
];

/** Mean and standard error over batches of the sampled gradient along fixed directions. */
describe("the sampled gradient at ratio 1, over 200 batches of LookUp-v0", function () {
  this.timeout(120_000);
  const env = make("LookUp-v0") as EnumerableEnv;
  const policy = new TabularPolicy(env.spec, { initialScale: 0.5, syntaxPrior: 3, seed: 3 });
  const exact = enumerateReturn(env, policy).gradient;
  const next = draws(9);
  const norm = Math.hypot(...exact);
  const directions = [
    exact.map((x) => x / norm),
    ...Array.from({ length: 4 }, () => exact.map(() => (next() - 0.5) / Math.sqrt(exact.length))),
  ];
  const along = (gradient: Float64Array): number[] =>
    directions.map((direction) => direction.reduce((total, x, i) => total + x * (gradient[i] ?? 0), 0));
  const samples = new Map<string, number[][]>(unbiased.map(({ title }) => [title, []]));

  before(() => {
    const rng = createRng(17);
    for (let k = 0; k < 200; k++) {
      const batch = collect(env, policy, { groups: 4, groupSize, rng: rng.split("batch", k) });
      const [N, T] = batch.shape;
      // Any function of the turn index and the last observation is a fair critic: it sees nothing of the action.
      const value_nt = Float64Array.from({ length: N * T }, (_, nt) => {
        const seen = batch.observation_nt[Math.floor(nt / T)]![nt % T] ?? "";
        return Math.sin(seen.length + 3 * (nt % T));
      });
      const { logProb_ntl, entropy_ntl } = policy.evaluate(batch);
      for (const { title, row } of unbiased) {
        const { advantage_ntl } = advantages(batch, row, value_nt, logProb_ntl);
        const { dLogProb_ntl } = surrogateGradient(
          { ...batch, logProb_ntl, entropy_ntl, oldLogProb_ntl: logProb_ntl, advantage_ntl },
          row,
        );
        samples.get(title)!.push(along(policy.backward(batch, { dLogProb_ntl }).map((x) => -x)));
      }
    }
  });

  for (const { title, factor } of unbiased) {
    const times = factor === 1 ? "the exact gradient" : "(G - 1) / G of the exact gradient";
    it(`${title}: ${times}, within 4 standard errors`, () => {
      const taken = samples.get(title)!;
      along(exact).forEach((truth, d) => {
        const values = taken.map((row) => row[d]!);
        const mean = values.reduce((a, b) => a + b, 0) / values.length;
        const variance = values.reduce((a, x) => a + (x - mean) ** 2, 0) / (values.length - 1);
        const error = Math.sqrt(variance / values.length);
        const distance = Math.abs(mean - factor * truth);
        assert.ok(distance < 4 * error, `direction ${String(d)}: off by ${String(distance / error)} errors`);
      });
    });
  }

  it("tells 1 from (G - 1) / G: the own-sample mean is biased by more than 4 standard errors", () => {
    const paired = samples.get("drGrpo")!.map((row, k) => row[0]! - samples.get("rloo")![k]![0]!);
    const mean = paired.reduce((a, b) => a + b, 0) / paired.length;
    const variance = paired.reduce((a, x) => a + (x - mean) ** 2, 0) / (paired.length - 1);
    assert.ok(mean < -4 * Math.sqrt(variance / paired.length));
  });
});

describe("ratios away from the old policy", () => {
  // One turn of two binary tokens; the policies are logits of the first token and of the second given the first.
  const old = { first: 0.5, second: [0.3, 0.8] };
  const now = { first: 0.65, second: [0.45, 0.6] };
  const reward = [0.1, 0.9, 0.4, 0.2];
  const probability = (policy: typeof old, token: number, given?: number): number => {
    const p = given === undefined ? policy.first : policy.second[given]!;
    return token === 1 ? p : 1 - p;
  };
  const J = (policy: typeof old): number =>
    reward.reduce((total, r, k) => {
      const [x, y] = [k >> 1, k & 1];
      return total + probability(policy, x) * probability(policy, y, x) * r;
    }, 0);

  /** The estimator's exact expectation under the old policy, of d J / d logit of the first token. */
  function expected(row: Recipe): number {
    const shape = [4, 1, 2] as const;
    const of = (policy: typeof old): number[] =>
      reward.flatMap((_, k) => [
        Math.log(probability(policy, k >> 1)),
        Math.log(probability(policy, k & 1, k >> 1)),
      ]);
    const weight = reward.map((_, k) => probability(old, k >> 1) * probability(old, k & 1, k >> 1));
    const { dLogProb_ntl } = surrogateGradient(
      {
        shape,
        mask_ntl: new Uint8Array(8).fill(1),
        logProb_ntl: of(now),
        oldLogProb_ntl: of(old),
        advantage_ntl: reward.flatMap((r) => [r, r]),
        weight_ntl: weight.flatMap((w) => [w, w]),
      },
      row,
    );
    return reward.reduce((total, _, k) => {
      const x = k >> 1;
      return total - dLogProb_ntl[2 * k]! * (x - now.first);
    }, 0);
  }
  const h = 1e-6;
  const moved = (step: number): typeof old => {
    const logit = Math.log(now.first / (1 - now.first)) + step;
    return { ...now, first: 1 / (1 + Math.exp(-logit)) };
  };
  const truth = (J(moved(h)) - J(moved(-h))) / (2 * h);
  const row = (pooling: "product" | "geometric" | "arithmetic"): Recipe =>
    recipe("rloo", { ratio: { level: "turn", pooling }, gate: "unclipped" });

  it("a product over the turn is its density ratio: the estimator is exact off policy", () => {
    assert.ok(Math.abs(expected(row("product")) - truth) < 1e-8);
  });

  it("geometric and arithmetic means are no density ratios: their estimators are off", () => {
    assert.ok(Math.abs(expected(row("geometric")) - truth) > 0.01);
    assert.ok(Math.abs(expected(row("arithmetic")) - truth) > 0.01);
  });
});
