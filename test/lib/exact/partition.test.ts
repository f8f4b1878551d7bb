import assert from "node:assert/strict";
import { advantages, createPolicy, make, recipe, scriptedBatch, GameEnv, type Game } from "turnwise";
import { enumerateReturn } from "turnwise/exact";
import { accuracyOfPartition, partitions } from "turnwise/search";

const seen = { tokens: [2], text: "?" };

/** One token: "a" pays 1, "b" nothing. */
const coin: Game<number> = {
  spec: {
    id: "Coin-v0",
    skill: "choose",
    vocabulary: ["a", "b"],
    observationVocabulary: ["?"],
    maxTurns: 1,
    maxTokens: 1,
    options: {},
  },
  start: () => [{ probability: 1, state: 0, observation: seen, reward: 0, terminated: false }],
  transition: (_, [token]) => [
    { probability: 1, state: 1, observation: seen, reward: token === 0 ? 1 : 0, terminated: true },
  ],
  render: String,
};

const close = (a: number, b: number): void => assert.ok(Math.abs(a - b) < 1e-9, `${a} is not ${b}`);

describe("partitions()", () => {
  const env = new GameEnv(coin);
  const even = createPolicy(env.spec);
  const at = (logit: number) => {
    const policy = createPolicy(env.spec);
    policy.contextOf({ observations: [seen], actions: [] });
    policy.evaluate({
      ...oneStep(),
      context_nt: [[policy.contextOf({ observations: [seen], actions: [] })]],
    });
    policy.parameters[0] = logit;
    return policy;
  };
  const oneStep = () => {
    const batch = scriptedBatch(env, [[["a"]]]);
    return batch;
  };

  it("is what one works out by hand", () => {
    // beta = 1 / log 3, so that e^{1 / beta} = 3. Reference 1/2: Z = (3 + 1) / 2 = 2.
    const beta = 1 / Math.log(3);
    const [one] = partitions(env, even, even, { beta });
    close(one!.logZ, Math.log(2));
    close(one!.accuracy, 0.5);
    close(accuracyOfPartition(one!.logZ, beta), 0.5);
    // KL(1/2 || 3/4) = log(1/2 / (3/4)) / 2 + log(1/2 / (1/4)) / 2 = log(4/3) / 2
    close(one!.divergence, Math.log(4 / 3) / 2);
    // beta log Z = log 2 / log 3 = .631 says too much by beta KL.
    close(one!.accuracy, beta * one!.logZ - beta * one!.divergence);
    close(beta * one!.fitted, 0.5);
  });

  it("has no divergence at the target, and is then off by the drift", () => {
    const beta = 1 / Math.log(3);
    const [one] = partitions(env, at(Math.log(3)), even, { beta });
    close(one!.accuracy, 0.75);
    close(one!.divergence, 0);
    close(one!.fitted, one!.logZ);
    // KL(3/4 || 1/2) = .75 log 1.5 + .25 log .5
    close(one!.drift, 0.75 * Math.log(1.5) + 0.25 * Math.log(0.5));
  });

  it("agrees with the exact return, task by task, in a world of several turns", () => {
    const world = make("LookUp-v0", { facts: 2 });
    const policy = createPolicy(world.spec, { initialScale: 0.5 });
    const tasks = partitions(world, policy, createPolicy(world.spec), { beta: 0.2 });
    close(
      tasks.reduce((sum, { probability, accuracy }) => sum + probability * accuracy, 0),
      enumerateReturn(world, policy, { gradient: false }).J,
    );
    for (const { divergence, drift } of tasks) assert.ok(divergence > 0 && drift > 0);
  });

  it("refuses a beta of 0", () => {
    assert.throws(() => partitions(env, even, even, { beta: 0 }), {
      name: "RangeError",
      message: "Cannot compute a partition function: beta must be above 0, got 0.",
    });
  });
});

describe("PACED-RL", () => {
  const world = make("LookUp-v0");
  const batch = scriptedBatch(world, [
    [["ANSWER", "0"]],
    [
      ["LOOKUP", "0"],
      ["ANSWER", "3"],
    ],
  ]);
  const reference = batch.oldLogProb_ntl.map((x, i) => x + 0.1 * (i % 3));

  it("has beta / 2 times the gradient of the trajectory balance, with log Z held", () => {
    const beta = 0.25;
    const row = recipe("pacedRl", { reward: { kl: { coef: beta } } });
    const { advantage_ntl } = advantages(batch, row, undefined, reference);
    const [N, T, L] = batch.shape;
    const total = (x: ArrayLike<number>, n: number): number => {
      let sum = 0;
      for (let i = n * T * L; i < (n + 1) * T * L; i++) if (batch.mask_ntl[i] === 1) sum += x[i]!;
      return sum;
    };
    const flow = [0, 1].map(
      (n) => batch.return_n[n]! / beta + total(reference, n) - total(batch.oldLogProb_ntl, n),
    );
    const logZ = (flow[0]! + flow[1]!) / 2;
    const loss = (logProb: Float64Array): number => {
      let sum = 0;
      for (let n = 0; n < N; n++) {
        const residual = logZ + total(logProb, n) - batch.return_n[n]! / beta - total(reference, n);
        sum += (beta / 2) * residual ** 2;
      }
      return sum / N;
    };
    batch.mask_ntl.forEach((mask, i) => {
      const [above, below] = [1e-5, -1e-5].map((h) =>
        loss(batch.oldLogProb_ntl.map((x, j) => (i === j ? x + h : x))),
      );
      const slope = (above! - below!) / 2e-5;
      // The row's loss is -mean A log pi.
      assert.ok(Math.abs(slope + (mask === 1 ? advantage_ntl[i]! / N : 0)) < 1e-6);
    });
  });

  it("is REINFORCE with the group's mean where the reference is the policy that sampled", () => {
    const own = advantages(batch, recipe("pacedRl"), undefined, batch.oldLogProb_ntl).advantage_ntl;
    const plain = advantages(batch, recipe("reinforce", { advantage: "mean" })).advantage_ntl;
    own.forEach((A, i) => close(A, plain[i]!));
  });
});
