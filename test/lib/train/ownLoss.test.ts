// Uses internals of turnwise/rule.
import assert from "node:assert/strict";
import {
  make,
  createPolicy,
  type PolicyOptions,
  createRng,
  collect,
  custom,
  recipe,
  surrogateGradient,
  type Recipe,
  type RecipeOverrides,
  tf,
  train,
  type Checkpoint,
  type TrainOptions,
  type TrainRecord,
} from "turnwise";
import type { LossFunction, LossInput } from "turnwise/internal/rule/loss/contract";
import * as losses from "../rule/losses";

async function records(row: Recipe, options: Partial<TrainOptions>): Promise<TrainRecord[]> {
  const all: TrainRecord[] = [];
  for await (const record of train({
    env: "LookUp-v0",
    recipe: row,
    updates: 20,
    seed: 3,
    ...options,
  } as TrainOptions)) {
    all.push(record);
  }
  return all;
}

/** What only the closed form can tell: the extremes of a ratio that it knows of, and what its gate clipped. */
const ofTheRatio = /^policy\/(ratio|clip|fracRatio)/;

async function expectSame(closed: Recipe, mine: Recipe, options: Partial<TrainOptions>): Promise<void> {
  const [expected, found] = [await records(closed, options), await records(mine, options)];
  for (const [u, { metrics }] of expected.entries()) {
    for (const [name, value] of Object.entries(metrics)) {
      if (ofTheRatio.test(name)) continue;
      const other = found[u]!.metrics[name as keyof typeof metrics];
      const what = `${closed.name}, ${String(options.env)}, update ${u + 1}, ${name}`;
      assert.ok(other !== undefined, `${what} is missing`);
      assert.ok(Math.abs(other - value) <= 1e-6, `${what}: ${other} is not ${value}`);
    }
  }
}

const policies: Readonly<Record<string, PolicyOptions>> = {
  tabular: {},
  logLinear: { kind: "logLinear" },
  mlp: { kind: "mlp", width: 8 },
};

describe("training with a custom loss", function () {
  this.timeout(120_000);

  for (const name of ["grpo", "gspo", "sapo"] as const) {
    for (const [kind, policy] of Object.entries(policies)) {
      it(`equals ${name} over 20 updates with a ${kind} policy, to 1e-6 in every record`, async () => {
        const mine = recipe(name, { loss: custom("mine", losses[name]) });
        for (const env of ["LookUp-v0", "Tiger-v0"]) {
          await expectSame(recipe(name), mine, { env, policy, groups: 4 });
        }
      });
    }
  }

  it("equals the closed form turn by turn, in minibatches, with a carry and recomputed log-probs", async () => {
    const cells: RecipeOverrides = {
      order: { kind: "reverse", carry: "exact", oldLogProb: "recomputed" } as never,
      update: { epochs: 2, minibatches: 3 },
    };
    const closed = recipe("grpo", cells);
    const mine = recipe("grpo", { ...cells, loss: custom("mine", losses.grpo) });
    await expectSame(closed, mine, { env: "Tiger-v0" });
  });

  it("equals KL to the reference with an entropy bonus, with both policies that have a gradient of entropy", async () => {
    const closed = recipe("grpo", {
      regularizer: { klReference: { coef: 0.1, estimator: "k3" }, entropyCoef: 0.02 },
    });
    const mine = recipe("grpo", { loss: custom("mine", losses.regularized) });
    const found = await records(mine, {});
    for (const [u, { metrics }] of (await records(closed, {})).entries()) {
      for (const name of ["reward/mean", "policy/loss", "policy/gradNorm", "policy/entropy"] as const) {
        assert.ok(Math.abs(found[u]!.metrics[name]! - metrics[name]!) <= 1e-6, `${name} of update ${u + 1}`);
      }
    }
  });

  it("trains the value head by its own value loss: PPO with its critic", async () => {
    const closed = recipe("ppo", { advantage: { valueCoef: 0.7 } });
    const mine = recipe("ppo", { advantage: { valueCoef: 0.7 }, loss: custom("mine", losses.ppo(0.7)) });
    const [expected, found] = [await records(closed, {}), await records(mine, {})];
    for (const [u, { metrics }] of expected.entries()) {
      for (const name of [
        "reward/mean",
        "policy/gradNorm",
        "critic/loss",
        "critic/explainedVariance",
      ] as const) {
        assert.ok(Math.abs(found[u]!.metrics[name]! - metrics[name]!) <= 1e-6, `${name} of update ${u + 1}`);
      }
      // The loss of a record is then the whole one, value loss included.
      const whole = metrics["policy/loss"]! + 0.7 * metrics["critic/loss"]!;
      assert.ok(Math.abs(found[u]!.metrics["policy/loss"]! - whole) <= 1e-6, `loss of update ${u + 1}`);
    }
  });

  it("leaves the value head to the row's own regression where it does not go through the values", async () => {
    // The values are read, but as a constant.
    const policyLoss: LossFunction = (tf, x) => {
      const zero = tf.mul(0, x.turnMean(x.stopGradient(x.value_nt)));
      return tf.add(losses.ppoPolicy(tf, x), zero);
    };
    const mine = recipe("ppo", { loss: custom("mine", policyLoss) });
    const [expected, found] = [await records(recipe("ppo"), {}), await records(mine, {})];
    for (const [u, { metrics }] of expected.entries()) {
      assert.ok(
        Math.abs(found[u]!.metrics["critic/loss"]! - metrics["critic/loss"]!) <= 1e-6,
        `update ${u + 1}`,
      );
    }
  });

  it("gives a value head to who asks for it, in a row without a critic", async () => {
    const f: LossFunction = (tf, x) =>
      tf.add(losses.grpo(tf, x), x.turnMean(tf.squaredDifference(x.value_nt, x.valueTarget_nt)));
    const mine = recipe("grpo", { loss: custom("with values", f) });
    const found = await records(mine, { policy: { valueHead: true }, updates: 60, groups: 8 });
    // How much of the returns' variance the values explain: none at first, as they are all 0.
    const explained = found.map(({ metrics }) => metrics["critic/explainedVariance"]!);
    assert.equal(explained[0], 0);
    assert.ok(Math.max(...explained) > 0.3, `at most ${Math.max(...explained)} was explained`);
    await assert.rejects(records(mine, {}), {
      name: "TypeError",
      message:
        /^Cannot compute loss "with values": value_nt must come from a policy with a value head, as policy: \{ valueHead: true \}/,
    });
  });

  it("carries its derivative into every kind of policy: finite differences through the parameters", () => {
    const env = make("LookUp-v0");
    const row = recipe("grpo", { loss: custom("mine", losses.regularized) });
    for (const kind of ["tabular", "logLinear", "mlp", "gru", "transformer"] as const) {
      const policy = createPolicy(env.spec, {
        kind,
        ...(kind === "tabular" || kind === "logLinear" ? {} : { width: 4 }),
      } as PolicyOptions);
      const rng = createRng(5);
      const batch = collect(env, policy, { groups: 2, groupSize: 3, rng });
      for (let i = 0; i < policy.parameters.length; i++) policy.parameters[i]! += 0.3 * Math.sin(7 * i);
      const advantage_ntl = Float64Array.from(batch.mask_ntl, (_, i) => Math.cos(3 * i));
      const gradientNow = (): { loss: number; gradient: Float64Array } => {
        const evaluation = policy.evaluate(batch);
        const input = { ...batch, ...evaluation, refLogProb_ntl: batch.oldLogProb_ntl, advantage_ntl };
        const { loss, dLogProb_ntl, dEntropy_ntl } = surrogateGradient(input, row);
        return { loss, gradient: policy.backward(batch, { dLogProb_ntl, dEntropy_ntl: dEntropy_ntl! }) };
      };
      const { gradient } = gradientNow();
      const h = 1e-5;
      const step = Math.max(1, Math.floor(policy.parameters.length / 25));
      for (let i = 0; i < policy.parameters.length; i += step) {
        const at = (shift: number): number => {
          policy.parameters[i]! += shift;
          const { loss } = gradientNow();
          policy.parameters[i]! -= shift;
          return loss;
        };
        const central = (at(h) - at(-h)) / (2 * h);
        assert.ok(
          Math.abs(gradient[i]! - central) < 1e-6,
          `${kind}, parameter ${i}: ${gradient[i]} is not ${central}`,
        );
      }
    }
  });

  /** How often each update evaluates the reference policy: the clones that training makes of a policy. */
  async function referenceCalls(loss: LossFunction, overrides: RecipeOverrides = {}): Promise<number[]> {
    const env = make("LookUp-v0");
    const policy = createPolicy(env.spec, {});
    let calls = 0;
    const clone = policy.clone.bind(policy);
    policy.clone = () => {
      const copy = clone();
      const evaluate = copy.evaluate.bind(copy);
      copy.evaluate = (...given) => {
        calls++;
        return evaluate(...given);
      };
      return copy;
    };
    const row = recipe("grpo", { ...overrides, loss: custom("mine", loss) });
    const seen: number[] = [];
    for await (const _ of train({ env, policy, recipe: row, updates: 3, seed: 2, groups: 2 })) {
      seen.push(calls);
      calls = 0;
    }
    return seen;
  }
  const plain: LossFunction = (tf, x) => tf.neg(x.tokenMean(tf.mul(x.logProb_ntl, x.advantage_ntl)));

  it("evaluates the reference policy in the first update alone, unless the loss or the reward reads it", async () => {
    assert.deepEqual(await referenceCalls(plain), [1, 0, 0]);
    const near: LossFunction = (tf, x) =>
      tf.add(plain(tf, x), x.tokenMean(tf.square(tf.sub(x.logProb_ntl, x.refLogProb_ntl))));
    assert.deepEqual(await referenceCalls(near), [1, 1, 1]);
    const reward = { kl: { estimator: "k1", coef: 0.1 } } as const;
    assert.deepEqual(await referenceCalls(plain, { reward }), [1, 1, 1]);
  });

  it("hands the reference to a loss that reads it later, with the numbers of one that always does", async () => {
    const seen: boolean[] = [];
    // A policy that nobody has moved is uniform: its entropies are the log of the number of tokens that may follow.
    const hasMoved = (x: LossInput): boolean =>
      x.entropy_ntl.dataSync().some((H) => Math.abs(Math.exp(H) - Math.round(Math.exp(H))) > 1e-4);
    const near: LossFunction = (tf, x) =>
      tf.add(plain(tf, x), x.tokenMean(tf.square(tf.sub(x.logProb_ntl, x.refLogProb_ntl))));
    const late: LossFunction = (tf, x) => {
      seen.push(hasMoved(x));
      return hasMoved(x) ? near(tf, x) : plain(tf, x);
    };
    const always: LossFunction = (tf, x) => {
      void x.refLogProb_ntl;
      return late(tf, x);
    };
    const of = async (loss: LossFunction) =>
      (await records(recipe("grpo", { loss: custom("mine", loss) }), { updates: 6 })).map((r) => r.metrics);
    const expected = await of(always);
    seen.length = 0;
    assert.deepEqual(await of(late), expected);
    assert.equal(seen[0], false);
    assert.equal(seen.at(-1), true);
  });

  it("leaves no tensors behind", async () => {
    const before = tf.memory().numTensors;
    await records(recipe("grpo", { loss: custom("mine", losses.regularized) }), { updates: 3 });
    assert.equal(tf.memory().numTensors, before);
  });

  it("goes on from a checkpoint that went through JSON, given the function again", async () => {
    const loss = custom("mine", losses.regularized);
    const row = recipe("dapo", { loss });
    const options = { env: "LookUp-v0", updates: 4 } as const;
    const [, second] = await records(row, { ...options, updates: 2 });
    const run = train({ ...options, recipe: row, seed: 3 });
    await run.next();
    const stored = JSON.parse(JSON.stringify(run.checkpoint())) as Checkpoint;
    assert.throws(() => train({ resume: stored, updates: 4 }), {
      message:
        'Cannot resume: a checkpoint stores only the labels of custom functions, and this one has loss "mine".\n' +
        'Add recipe: recipe("dapo", { loss: custom("mine", f) })',
    });
    const resumed = await train({ resume: stored, recipe: row, updates: 4 }).next();
    assert.deepEqual(resumed.value!.metrics, second!.metrics);
  });

  it("undoes an update whose loss is refused", async () => {
    let calls = 0;
    const failing: LossFunction = (tf, x) => (++calls > 20 ? tf.log(tf.scalar(-1)) : losses.grpo(tf, x));
    const run = train({
      env: "LookUp-v0",
      recipe: recipe("grpo", { loss: custom("mine", failing) }),
      updates: 20,
      seed: 1,
    });
    const all = async (): Promise<void> => {
      for await (const _ of run);
    };
    await assert.rejects(all(), /^TypeError: Cannot compute loss "mine"/);
    assert.ok(run.checkpoint().update < 20);
  });
});
