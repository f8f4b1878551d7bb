// Uses internals of turnwise/card.
import assert from "node:assert/strict";
import {
  advantages,
  createPolicy,
  make,
  recipe,
  scriptedBatch,
  surrogateGradient,
  train,
  type Env,
  type Policy,
  type TrainRecord,
} from "turnwise";
import { optimalPolicy } from "turnwise/exact";
import { trajectoriesOf } from "turnwise/internal/card/trajectories";

const env = make("LookUp-v0", { facts: 2 });
const V = env.spec.vocabulary.length;

/** Every trajectory, and its probability under the policy that the log-probs come from. */
function everything(policy: Policy) {
  const all = trajectoriesOf(env, policy);
  const [N, T, L] = all.batch.shape;
  const weights = (logProb_ntl: Float64Array): Float64Array =>
    all.chance_n.map((chance, n) => {
      let sum = 0;
      for (let i = n * T * L; i < (n + 1) * T * L; i++)
        if (all.batch.mask_ntl[i] === 1) sum += logProb_ntl[i]!;
      return chance * Math.exp(sum);
    });
  return { ...all, N, width: T * L, weights };
}

describe("on-policy distillation", () => {
  it("pays a token for what the teacher thinks of it, and nothing for the task", () => {
    // Old log-prob -log 6 of every token; the teacher says .5, .25, .5, .125 to the four of the second trajectory.
    const world = make("LookUp-v0");
    const batch = scriptedBatch(world, [
      [["ANSWER", "0"]],
      [
        ["LOOKUP", "0"],
        ["ANSWER", "3"],
      ],
    ]);
    const size = world.spec.vocabulary.length;
    const teacher = Float64Array.from(batch.mask_ntl, () => Math.log(1 / size));
    [0.5, 0.25, 0.5, 0.125].forEach((p, k) => (teacher[4 + k] = Math.log(p)));
    const row = recipe("onPolicyDistillation");
    const { advantage_ntl } = advantages(batch, row, undefined, teacher);
    const expected = [0, 0, 0, 0, ...[0.5, 0.25, 0.5, 0.125].map((p) => Math.log(p * size))];
    expected.forEach((A, i) =>
      assert.ok(Math.abs(advantage_ntl[i]! - A) < 1e-12, `${i}: ${advantage_ntl[i]}`),
    );
    // gamma 1: each token answers for those after it as well.
    const far = advantages(batch, recipe(row, { advantage: { gamma: 1 } }), undefined, teacher).advantage_ntl;
    assert.ok(Math.abs(far[4]! - Math.log(0.5 * 0.25 * 0.5 * 0.125 * size ** 4)) < 1e-12);
  });

  for (const gamma of [0, 1]) {
    it(`has the gradient of -KL(pi || nu) on the student's states, ${gamma === 0 ? "which stand still" : "which move with him"}`, () => {
      const policy = createPolicy(env.spec, { initialScale: 0.5 });
      const { batch, N, width, weights } = everything(policy);
      const teacher = optimalPolicy(env, { softness: 0.1 });
      const old = policy.evaluate(batch).logProb_ntl.slice();
      const start_n = weights(old);
      const nu = teacher.evaluate(batch, undefined, undefined, undefined, { distributions: true });
      const row = recipe("onPolicyDistillation", { advantage: { gamma } });
      const { advantage_ntl } = advantages(batch, row, undefined, nu.logProb_ntl);
      const gradient = policy
        .backward(batch, {
          dLogProb_ntl: surrogateGradient(
            {
              ...batch,
              logProb_ntl: old,
              oldLogProb_ntl: old,
              advantage_ntl,
              weight_ntl: Float64Array.from(batch.mask_ntl, (_, i) => start_n[Math.floor(i / width)]!),
            },
            row,
          ).dLogProb_ntl,
        })
        .slice();
      /** sum over tokens of KL(pi || nu), on the states of the start or of the policy itself. */
      const divergence = (): number => {
        const now = policy.evaluate(batch, undefined, undefined, undefined, { distributions: true });
        const weight_n = gamma === 0 ? start_n : weights(now.logProb_ntl);
        let sum = 0;
        batch.mask_ntl.forEach((mask, i) => {
          if (mask !== 1) return;
          for (let v = i * V; v < (i + 1) * V; v++) {
            const x = now.logProb_ntlv![v]!;
            sum += weight_n[Math.floor(i / width)]! * Math.exp(x) * (x - nu.logProb_ntlv![v]!);
          }
        });
        return sum;
      };
      assert.ok(N > 10 && Math.max(...gradient) > 0.01);
      const h = 1e-5;
      gradient.forEach((slope, j) => {
        const at = policy.parameters[j]!;
        policy.parameters[j] = at + h;
        const above = divergence();
        policy.parameters[j] = at - h;
        const below = divergence();
        policy.parameters[j] = at;
        assert.ok(Math.abs((above - below) / (2 * h) - slope) < 1e-7, `parameter ${j}: ${slope}`);
      });
    });
  }

  it("reaches the optimum from its own mistakes, and the same bits after a checkpoint", async () => {
    const options = {
      env: "LookUp-v0",
      recipe: "onPolicyDistillation",
      seed: 2,
      exactEvery: true,
    } as const;
    const whole = train({ ...options, updates: 80 });
    let last: TrainRecord | undefined;
    for await (const record of whole) last = record;
    assert.ok(last!.metrics["return/exact"]! > 0.9, `${last!.metrics["return/exact"]}`);
    const half = train({ ...options, updates: 30 });
    for await (const record of half) void record;
    const checkpoint = JSON.parse(JSON.stringify(half.checkpoint()));
    assert.equal(checkpoint.teacher, "optimal");
    const rest = train({ resume: checkpoint, updates: 80 });
    for await (const record of rest) void record;
    assert.deepEqual(rest.policy.parameters, whole.policy.parameters);
  });

  it("takes any policy of the student's kind as its teacher, and a full KL instead of samples", async () => {
    const world = make("LookUp-v0");
    const run = train({ env: world, recipe: "onPolicyDistillation", updates: 60 });
    for await (const record of run) void record;
    const full = recipe("onPolicyDistillation", {
      reward: { kl: null },
      regularizer: { klReference: { coef: 1, estimator: "exact" } },
    });
    const options = { env: world, recipe: full, teacher: run.policy, seed: 3, exactEvery: true } as const;
    const pupil = train({ ...options, updates: 60 });
    let J = 0;
    for await (const { metrics } of pupil) J = metrics["return/exact"]!;
    assert.ok(J > 0.8, `${J}`);
    const half = train({ ...options, updates: 30 });
    for await (const record of half) void record;
    const checkpoint = JSON.parse(JSON.stringify(half.checkpoint()));
    const rest = train({ env: world, resume: checkpoint, teacher: run.policy, updates: 60 });
    for await (const record of rest) void record;
    assert.deepEqual(rest.policy.parameters, pupil.policy.parameters);
    assert.throws(() => train({ env: world, resume: checkpoint, updates: 60 }), {
      name: "TypeError",
      message:
        'Cannot resume: teacher must be that of the checkpoint, tabular, given again unless it is "optimal", got none.',
    });
  });

  it("refuses a teacher whom no cell reads, one who reads other histories, and a world without an optimum", () => {
    const world = make("LookUp-v0");
    assert.throws(() => train({ env: world, recipe: "rloo", teacher: "optimal", updates: 1 }), {
      name: "RangeError",
      message:
        "Cannot train with a teacher: the recipe must read a reference, by reward.kl or regularizer.klReference, or have demonstrations, got rloo without any.",
    });
    const other = createPolicy(world.spec, { kind: "gru" });
    assert.throws(() => train({ env: world, recipe: "onPolicyDistillation", teacher: other, updates: 1 }), {
      name: "TypeError",
      message:
        /^Cannot train: the teacher must read a history as the student does, but after ".+", gru reads .+ and tabular /,
    });
    const blind: Env = {
      spec: world.spec,
      observationSpace: world.observationSpace,
      actionSpace: world.actionSpace,
      reset: (o) => world.reset(o),
      step: (action) => world.step(action),
      render: () => "",
      close: () => undefined,
    };
    assert.throws(() => train({ env: blind, recipe: "onPolicyDistillation", updates: 1 }), {
      name: "TypeError",
      message: /^Cannot enumerate LookUp-v0: the environment must list its outcomes/,
    });
  });
});
