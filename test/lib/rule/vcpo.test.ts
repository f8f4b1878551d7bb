// Uses internals of turnwise/rule, turnwise/train.
import assert from "node:assert/strict";
import {
  advantages,
  collect,
  createOptimizer,
  createPolicy,
  createRng,
  make,
  recipe,
  tokenCredit,
  train,
  type Batch,
  type Metrics,
  type Policy,
  type RecipeOverrides,
} from "turnwise";
import { stepScaleOfStep } from "turnwise/internal/rule/index";
import { stepScaleOf } from "turnwise/internal/rule/stepScale/index";
import { gradientSquares } from "turnwise/internal/train/gradientSquares";
import { assertClose, batchOf } from "./support";

const plain = recipe("vcpo", { scale: "none" });

/** A batch whose rollout engine gave each token this many nats more than the trainer. */
const drawn = (batch: Batch, above: readonly number[]): Batch => ({
  ...batch,
  rolloutLogProb_ntl: batch.oldLogProb_ntl.map((x, i) => x + above[i]!),
});

const env = make("LookUp-v0");
const tilted = (): Policy => createPolicy(env.spec, { initialScale: 0.5 });

/** Eight trajectories of a policy; by default one whose tokens are all equally likely. */
function rollout(policy: Policy = createPolicy(env.spec)): { batch: Batch; policy: Policy } {
  return { policy, batch: collect(env, policy, { groups: 2, groupSize: 4, rng: createRng(4) }) };
}

const factor = (ratios: readonly number[], fields: object = {}): number => {
  const { stepScale } = recipe("vcpo", { update: { stepScale: fields } } as RecipeOverrides).update;
  return stepScaleOf(stepScale).factor(stepScale, ratios);
};

describe("the optimal trajectory baseline (VCPO)", () => {
  it("weighs a return by the squared ratio of the engines and the squared norm of the gradient", () => {
    // Ratios 1 and 2, squared norms 3 and 1/4: weights 3 and 4 * 1/4 = 1. Returns 1 and 5: (3 + 5) / 4 = 2.
    const batch = drawn(batchOf({ groupId: ["a", "a"], return_n: [1, 5] }), [0, -Math.log(2)]);
    const { advantage_ntl } = advantages(batch, plain, undefined, undefined, { gradientSquare_n: [3, 0.25] });
    assertClose(advantage_ntl, [-1, 3], 1e-12);
  });

  it("takes the product of the ratios of a trajectory's sampled tokens, whatever stands in masked ones", () => {
    // Two turns. Ratios 2 * 1/2 = 1 and, without the masked token, 2: weights 1 and 4. Returns 0 and 5: 20 / 5 = 4.
    const batch = batchOf({ groupId: ["a", "a"], return_n: [0, 5], turnCount: [2, 2] });
    batch.mask_ntl[3] = 0;
    const log = Math.log(2);
    const seen = drawn(batch, [-log, log, -log, NaN]);
    const { advantage_ntl } = advantages(seen, plain, undefined, undefined, { gradientSquare_n: [1, 1] });
    assertClose(advantage_ntl, [-4, -4, 1, 0], 1e-12);
  });

  it("has advantages that sum to 0 as the baseline weighs them, which is where the variance is least", () => {
    // d/db sum W (R - b)^2 = -2 sum W (R - b).
    const above = [0.3, -0.2, 0.5, -0.7];
    const squares = [0.2, 1.5, 0.9, 2];
    const batch = drawn(batchOf({ groupId: ["a", "a", "a", "a"], return_n: [3, -1, 4, 0.5] }), above);
    const { advantage_ntl } = advantages(batch, plain, undefined, undefined, { gradientSquare_n: squares });
    const weighed = above.map((x, n) => Math.exp(-2 * x) * squares[n]! * advantage_ntl[n]!);
    assertClose([weighed.reduce((a, b) => a + b)], [0], 1e-12);
  });

  it("is GRPO's where nothing tells the trajectories apart, and OPO's where squared norms go with lengths", () => {
    const batch = batchOf({ groupId: ["a", "a", "a"], return_n: [1, 5, 0], turnCount: [1, 3, 2] });
    const of = (gradientSquare_n: readonly number[]): Float64Array =>
      advantages(batch, plain, undefined, undefined, { gradientSquare_n }).advantage_ntl;
    const mean = advantages(batch, recipe("reinforce", { advantage: "mean" })).advantage_ntl;
    assertClose(of([0.4, 0.4, 0.4]), mean, 1e-12);
    assertClose(of([0.1, 0.3, 0.2]), advantages(batch, recipe("opo")).advantage_ntl, 1e-12);
  });

  it("is divided by the deviation of the group's returns, over n", () => {
    // Equal weights: returns 1 and 5 have mean 3 and deviation 2.
    const batch = batchOf({ groupId: ["a", "a"], return_n: [1, 5] });
    const facts = { gradientSquare_n: [1, 1] };
    assertClose(advantages(batch, recipe("vcpo"), undefined, undefined, facts).advantage_ntl, [-1, 1], 1e-12);
  });

  it("credits nobody in a group of equal returns, nor a group of one, and has no baseline where nothing can move", () => {
    const same = batchOf({ groupId: ["a", "a", "b"], return_n: [0.1, 0.1, 3] });
    const of = (batch: Batch, gradientSquare_n: readonly number[]): Float64Array =>
      advantages(batch, plain, undefined, undefined, { gradientSquare_n }).advantage_ntl;
    assertClose(of(same, [1, 2, 1]), [0, 0, 0], 0);
    assertClose(of(batchOf({ groupId: ["a", "a"], return_n: [2, 6] }), [0, 0]), [2, 6], 0);
  });

  it("asks for the norms, and refuses to do without, or with some left out", () => {
    const batch = batchOf({ groupId: ["a", "a"], return_n: [1, 5] });
    assert.throws(() => advantages(batch, plain), {
      name: "TypeError",
      message:
        "Cannot compute the optimal trajectory baseline: it needs the squared norm of each trajectory's gradient, got none.",
    });
    assert.throws(
      () => advantages(batch, plain, undefined, undefined, { gradientSquare_n: [1] }),
      /Cannot compute the optimal trajectory baseline: gradientSquare_n must have .*2/,
    );
  });

  it("takes lengths for squared norms where there is no policy: its credit is then OPO's", () => {
    const batch = batchOf({ groupId: ["a", "a", "a"], return_n: [1, 5, 0], turnCount: [1, 3, 2] });
    const opo = recipe("opo", {
      scale: plain.scale,
      aggregate: plain.aggregate,
      ratio: "none",
      gate: "none",
    });
    assertClose(tokenCredit(batch, plain), tokenCredit(batch, opo), 1e-12);
  });

  it("is refused with ratios that the rule bypasses, since it weighs by them", () => {
    const correction = { kind: "mask", oldLogProb: "bypass" } as const;
    assert.throws(() => recipe("grpo", { advantage: "optimalTrajectory", correction }), {
      name: "RangeError",
      message:
        'Cannot make recipe grpo: correction.oldLogProb must be "decoupled" with advantage.kind "optimalTrajectory", which weighs by the ratio of trainer to rollout engine, got "bypass".',
    });
  });
});

describe("the squared norm of each trajectory's gradient", () => {
  it("is that of finite differences of its log-prob", () => {
    const { batch, policy } = rollout(tilted());
    const squares = gradientSquares(policy, batch);
    const [N, T, L] = batch.shape;
    const logProb = (n: number): number => {
      const { logProb_ntl } = policy.evaluate(batch);
      let sum = 0;
      for (let i = n * T * L; i < (n + 1) * T * L; i++) if (batch.mask_ntl[i] === 1) sum += logProb_ntl[i]!;
      return sum;
    };
    const h = 1e-5;
    for (const n of [0, Math.floor(N / 2), N - 1]) {
      let square = 0;
      for (const j of policy.parameters.keys()) {
        const at = policy.parameters[j]!;
        const [up, down] = [at + h, at - h].map((x) => {
          policy.parameters[j] = x;
          return logProb(n);
        }) as [number, number];
        policy.parameters[j] = at;
        square += ((up - down) / (2 * h)) ** 2;
      }
      assert.ok(square > 0.1, String(square));
      assertClose([squares[n]!], [square], 1e-6, `trajectory ${n}`);
    }
  });

  it("is the same by a dense backward pass", () => {
    const { batch, policy } = rollout(tilted());
    const dense = Object.assign(Object.create(policy) as Policy, {
      sparseBackward: undefined,
      backward: (...given: Parameters<Policy["backward"]>) => policy.backward(...given),
    });
    assertClose(gradientSquares(dense, batch), gradientSquares(policy, batch), 1e-12);
  });
});

describe("the factor on the learning rate (VCPO)", () => {
  it("is the root of the share of effective samples, (sum w)^2 / (N sum w^2), or the share itself", () => {
    // (1 + 3)^2 / (2 (1 + 9)) = 4/5.
    assertClose([factor([1, 3]), factor([1, 3], { power: "linear" })], [Math.sqrt(0.8), 0.8], 1e-12);
    // One of four has everything.
    assertClose([factor([0, 7, 0, 0])], [0.5], 1e-12);
  });

  it("is 1 where all weights are equal, however large, and no more for rounding", () => {
    for (const w of [1, 0.1, 1e6]) assert.equal(factor(new Array<number>(7).fill(w)), 1, String(w));
  });

  it("is 1 from the base share on", () => {
    // A share of 4/5: above base .55; of base .9 it is 8/9.
    assert.equal(factor([1, 3], { base: 0.55 }), 1);
    assertClose([factor([1, 3], { base: 0.9, power: "linear" })], [8 / 9], 1e-12);
  });

  it("takes the ratio to the policy that sampled over the trajectory's tokens in the turns of the step", () => {
    // Log-ratios of turn 0: 0 and log 3; of turn 1: log 3 and 0, and its masked token's counts for nothing.
    const batch = batchOf({ groupId: ["a", "a"], return_n: [0, 1], turnCount: [2, 2] });
    const log = Math.log(3);
    const now = batch.oldLogProb_ntl.map((x, i) => x + [0, log, log, 0][i]!);
    const scale = (turns: readonly number[], of: Batch = batch): number =>
      stepScaleOfStep(recipe("vcpo", { update: { stepScale: { power: "linear" } } }), of, turns, now)!;
    assertClose([scale([0]), scale([1]), scale([0, 1])], [0.8, 0.8, 1], 1e-12);
    // Without its token in turn 1, the second trajectory has no weight there: the first alone has them all.
    batch.mask_ntl[3] = 0;
    assertClose([scale([1]), scale([0, 1])], [1, 1], 1e-12);
    // Where the engines are told apart, the rollout's own log-probs are the ones.
    assertClose([scale([0], { ...batch, rolloutLogProb_ntl: now })], [1], 1e-12);
    assert.equal(stepScaleOfStep(recipe("grpo"), batch, [0], now), undefined);
  });

  it("shortens a step of SGD and of Adam alike, and leaves Adam's means of the gradient alone", () => {
    for (const optimizer of [{ kind: "sgd" }, { kind: "adam" }] as const) {
      const given = { ...optimizer, learningRate: 0.5, maxGradNorm: null };
      const moved = (rateScale?: number): [number, unknown] => {
        const parameters = Float64Array.of(0);
        const made = createOptimizer(given);
        made.step(parameters, Float64Array.of(2), undefined, rateScale);
        return [parameters[0]!, made.state()];
      };
      const [whole, state] = moved();
      const [half, after] = moved(0.5);
      assert.equal(half, whole / 2, optimizer.kind);
      assert.deepEqual(after, state, optimizer.kind);
      assert.equal(moved(1)[0], whole);
    }
  });

  it("reaches the compiled step of Adam as well", () => {
    const moved = (rateScale: number): number => {
      const parameters = new Float64Array(4096);
      const adam = createOptimizer({ kind: "adam", learningRate: 0.5, maxGradNorm: null });
      adam.step(parameters, new Float64Array(4096).fill(1), undefined, rateScale);
      return parameters[4095]!;
    };
    assert.equal(moved(0.25), moved(1) / 4);
  });

  it("is refused with demonstrations, which the policy has not sampled", () => {
    assert.throws(() => recipe("rlPlus", { update: { stepScale: "effectiveSamples" } }), {
      name: "RangeError",
      message:
        'Cannot make recipe rlPlus: update.stepScale.kind must be "none" with demonstrations 1, which the policy has not sampled, got "effectiveSamples".',
    });
  });
});

describe("training with VCPO", () => {
  const ran = async (
    fields: RecipeOverrides,
    o: object = {},
  ): Promise<{ policy: Policy; metrics: Metrics[] }> => {
    const run = train({ env: "LookUp-v0", recipe: recipe("vcpo", fields), updates: 6, seed: 3, ...o });
    const metrics: Metrics[] = [];
    for await (const record of run) metrics.push(record.metrics);
    return { policy: run.policy, metrics };
  };
  const unscaled = { update: { stepScale: "none" } } as const;

  it("has the full learning rate as long as the batch is the policy's own: the same bits as without the factor", async () => {
    const [scaled, plainly] = [await ran({}), await ran(unscaled)];
    for (const one of scaled.metrics) assertClose([one["policy/stepScale"]!], [1], 1e-12);
    assert.equal(plainly.metrics[0]!["policy/stepScale"], undefined);
    assert.deepEqual(scaled.policy.parameters, plainly.policy.parameters);
  });

  it("shortens the steps of a stale batch, from the first update that is not the policy's own", async () => {
    const { metrics } = await ran({}, { staleness: 3 });
    assert.equal(metrics[0]!["policy/stepScale"], 1);
    for (const one of metrics.slice(1)) assert.ok(one["policy/stepScale"]! < 1);
  });

  it("weighs a stale batch by its ratios: another baseline than the group's mean", async () => {
    const [own, mean] = [
      await ran(unscaled, { staleness: 3 }),
      await ran({ ...unscaled, advantage: "mean" }, { staleness: 3 }),
    ];
    assert.notDeepEqual(own.policy.parameters, mean.policy.parameters);
  });

  it("goes on from a checkpoint that knew no factor", async () => {
    const run = train({ env: "LookUp-v0", recipe: "grpo", updates: 2, seed: 1 });
    await run.next();
    const checkpoint = run.checkpoint();
    const { stepScale: _, ...update } = checkpoint.recipe.update;
    const older = { ...checkpoint, recipe: { ...checkpoint.recipe, update } } as typeof checkpoint;
    const resumed = train({ resume: older, updates: 2 });
    await resumed.next();
    await run.next();
    assert.deepEqual(resumed.policy.parameters, run.policy.parameters);
    assert.deepEqual(resumed.recipe.update.stepScale, { kind: "none" });
  });
});

describe("VCPO's baseline on a stale batch", () => {
  it("leaves w grad log pi (R - b) the least mean square of all baselines", () => {
    const { batch: stale } = rollout();
    const policy = tilted();
    const trainer = policy.evaluate(stale).logProb_ntl;
    const batch: Batch = {
      ...stale,
      groupId: stale.groupId.map(() => "one"),
      rolloutLogProb_ntl: stale.oldLogProb_ntl,
      oldLogProb_ntl: trainer,
    };
    const gradientSquare_n = gradientSquares(policy, batch);
    const { advantage_ntl } = advantages(batch, plain, undefined, undefined, { gradientSquare_n });
    const [N, T, L] = batch.shape;
    const own = batch.return_n[0]! - advantage_ntl[0]!;
    const spread = (baseline: number): number => {
      let sum = 0;
      for (let n = 0; n < N; n++) {
        let log = 0;
        for (let i = n * T * L; i < (n + 1) * T * L; i++) {
          if (batch.mask_ntl[i] === 1) log += trainer[i]! - stale.oldLogProb_ntl[i]!;
        }
        sum += Math.exp(2 * log) * gradientSquare_n[n]! * (batch.return_n[n]! - baseline) ** 2;
      }
      return sum;
    };
    const mean = batch.return_n.reduce((a, b) => a + b) / N;
    assert.ok(Math.abs(own - mean) > 1e-3, "the baseline is another than the mean");
    for (const apart of [-0.1, -1e-3, 1e-3, 0.1]) assert.ok(spread(own) < spread(own + apart));
  });
});
