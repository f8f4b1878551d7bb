import assert from "node:assert/strict";
import {
  autodiffPolicy,
  createPolicy,
  make,
  recipe,
  toolChainPolicy,
  train,
  type Env,
  type Metrics,
  type Policy,
  type Recipe,
  collect,
  surrogateGradient,
  createRng,
  LogLinearPolicy,
} from "turnwise";

const asked = { distributions: true } as const;

/** Every kind of policy, made for a world. */
const kinds: Readonly<Record<string, (env: Env) => Policy>> = {
  "table of histories": ({ spec }) => createPolicy(spec, { initialScale: 0.5 }),
  "table of turns and observations": ({ spec }) =>
    createPolicy(spec, { initialScale: 0.5, memory: "turnObservation", valueHead: true }),
  "log-linear": ({ spec }) => createPolicy(spec, { kind: "logLinear", initialScale: 0.3 }),
  "log-linear, pre-trained": ({ spec }) => toolChainPolicy(spec, { beta: 2, seed: 1, perTurn: true }),
  ...Object.fromEntries(
    (["mlp", "gru", "transformer"] as const).flatMap((kind) =>
      (["float64", "wasm"] as const).map((compute) => [
        `${kind}, ${compute}`,
        ({ spec }: Env) => createPolicy(spec, { kind, compute, width: 6, seed: 3 }),
      ]),
    ),
  ),
  autodiff: (env) =>
    autodiffPolicy({
      parameters: ({ features, vocabulary }) => ({ W: [features, vocabulary] }),
      logits: (tf, { W }, x) => tf.matMul(x.features, W),
    })(env),
};

const penalized = (regularizer: object, update: object = {}): Recipe =>
  recipe("grpo", { aggregate: "tokenMean", regularizer, update });

describe("an exact KL through a policy", () => {
  for (const [title, makeOne] of Object.entries(kinds)) {
    it(`${title}: backward is the derivative of the loss, by central differences along random directions`, () => {
      const env = make("ToolChain-v0");
      const policy = makeOne(env);
      const rng = createRng(5);
      const batch = collect(env, policy, { groups: 2, groupSize: 3, rng });
      // The other policies are copies that have moved away.
      const away = (): Policy => {
        const copy = policy.clone();
        copy.evaluate(batch);
        for (let i = 0; i < copy.parameters.length; i++) copy.parameters[i]! += 0.4 * rng.normal();
        return copy;
      };
      const [old, reference] = [away(), away()].map((one) =>
        one.evaluate(batch, undefined, undefined, undefined, asked),
      );
      const advantage_ntl = new Float64Array(batch.mask_ntl.length);
      for (const direction of ["reverse", "forward"] as const) {
        const row = penalized({ klReference: { coef: 0.7, direction }, klOld: { coef: 0.3, direction } });
        const ask = () => {
          const evaluation = policy.evaluate(batch, undefined, undefined, undefined, asked);
          const input = {
            shape: batch.shape,
            mask_ntl: batch.mask_ntl,
            advantage_ntl,
            logProb_ntl: evaluation.logProb_ntl,
            oldLogProb_ntl: evaluation.logProb_ntl,
            refLogProb_ntl: evaluation.logProb_ntl,
            logProb_ntlv: evaluation.logProb_ntlv!,
            oldLogProb_ntlv: old!.logProb_ntlv!,
            refLogProb_ntlv: reference!.logProb_ntlv!,
          };
          return { evaluation, ...surrogateGradient(input, row) };
        };
        const { evaluation, dLogProb_ntl, dLogit_ntlv } = ask();
        const gradient = { dLogProb_ntl: dLogProb_ntl.map((x) => x), dLogit_ntlv: dLogit_ntlv! };
        const told = Float64Array.from(policy.backward(batch, gradient, undefined, undefined, evaluation));
        const size = Math.hypot(...told);
        assert.ok(size > 1e-3);
        const single = title.includes("wasm") || title === "autodiff";
        for (let k = 0; k < 4; k++) {
          const along = told.map((x) => x / size + (0.5 * rng.normal()) / Math.sqrt(told.length));
          const at = (by: number): number => {
            const kept = policy.parameters.slice();
            for (let i = 0; i < along.length; i++) policy.parameters[i]! += by * along[i]!;
            const { loss } = ask();
            policy.parameters.set(kept);
            return loss;
          };
          const h = single ? 1e-2 : 1e-5;
          const measured = (at(h) - at(-h)) / (2 * h);
          const wanted = told.reduce((sum, x, i) => sum + x * along[i]!, 0);
          assert.ok(
            Math.abs(measured - wanted) < (single ? 2e-3 : 1e-7) * Math.max(size, Math.abs(wanted)),
            `${direction}: ${measured} is not ${wanted}`,
          );
        }
      }
    });
  }

  it("gives a network one loss and one gradient in doubles and on the fused kernels", () => {
    const env = make("ToolChain-v0");
    for (const kind of ["mlp", "gru", "transformer"] as const) {
      const [plain, fused] = (["float64", "wasm"] as const).map((compute) =>
        createPolicy(env.spec, { kind, compute, width: 6, seed: 3 }),
      );
      const batch = collect(env, plain!, { groups: 2, groupSize: 3, rng: createRng(1) });
      const [a, b] = [plain!, fused!].map((policy) => {
        const evaluation = policy.evaluate(batch, undefined, undefined, undefined, asked);
        const told = evaluation.logProb_ntlv!;
        const V = told.length / batch.mask_ntl.length;
        const dLogit_ntlv = told.map((_, i) => Math.sin(i) * batch.mask_ntl[Math.floor(i / V)]!);
        const dLogProb_ntl = new Float64Array(batch.mask_ntl.length);
        const gradient = { dLogProb_ntl, dLogit_ntlv };
        return { told, back: policy.backward(batch, gradient, undefined, undefined, evaluation) };
      });
      const most = Math.max(...Array.from(a!.back, Math.abs));
      a!.told.forEach((x, i) => assert.ok(Math.abs(x - b!.told[i]!) < 1e-5, kind));
      a!.back.forEach((x, i) => assert.ok(Math.abs(x - b!.back[i]!) < 2e-5 * most, kind));
    }
  });
});

async function records(row: Recipe, policy: Policy, updates = 3): Promise<Metrics[]> {
  const found: Metrics[] = [];
  const run = train({ env: "LookUp-v0", policy, recipe: row, updates, groups: 4, groupSize: 4, seed: 1 });
  for await (const { metrics } of run) found.push(metrics);
  return found;
}

describe("training with a penalty", () => {
  it("begins at a divergence of exactly 0, and a dear one keeps the policy near", async () => {
    const { spec } = make("LookUp-v0");
    const oneStep = { epochs: 1, minibatches: 1, optimizer: { kind: "sgd", learningRate: 2 } } as const;
    const of = (coef: number): Promise<Metrics[]> =>
      records(penalized({ klReference: { coef } }, oneStep), createPolicy(spec), 12);
    const [free, dear] = [await of(0), await of(3)];
    assert.equal(free[0]!["policy/klReference"], 0);
    const end = (found: Metrics[]): number => found.at(-1)!["policy/klReference"]!;
    assert.ok(end(dear) > 0 && end(dear) < end(free) / 4, `${end(dear)}, ${end(free)}`);
  });

  it("takes minibatches and turns one by one", async () => {
    const row = recipe("seeUpo", {
      order: { oldLogProb: "recomputed" },
      regularizer: { klOld: { coef: 0.5 }, klReference: { coef: 0.1, direction: "forward" } },
      update: { epochs: 2, minibatches: 2 },
    });
    const found = await records(row, createPolicy(make("LookUp-v0").spec));
    for (const metrics of found) {
      assert.ok(metrics["policy/klOld"]! > 0 && metrics["policy/klReference"]! > 0);
    }
  });

  it("tells the author of a policy without whole distributions what to add, or what works without", async () => {
    class Silent extends LogLinearPolicy {
      override evaluate(...given: Parameters<Policy["evaluate"]>): ReturnType<Policy["evaluate"]> {
        return super.evaluate(...(given.slice(0, 4) as Parameters<Policy["evaluate"]>));
      }
      override clone(): Silent {
        const copy = new Silent(make("LookUp-v0").spec);
        copy.parameters.set(this.parameters);
        return copy;
      }
    }
    const { spec } = make("LookUp-v0");
    for (const regularizer of [{ klOld: { coef: 0.1 } }, { klReference: { coef: 0.1 } }]) {
      await assert.rejects(records(penalized(regularizer), new Silent(spec)), {
        name: "TypeError",
        message:
          'Cannot train with recipe grpo: an exact KL needs full distributions, and policy "logLinear" ' +
          "gives none. Give logProb_ntlv in evaluate(batch, rows, turns, spent, { distributions: true }) and read dLogit_ntlv in backward, " +
          'or take estimator: "k3" with correction: "importanceWeighted", which needs neither.',
      });
    }
    const weighted = { coef: 0.1, estimator: "k3", correction: "importanceWeighted" } as const;
    assert.equal((await records(penalized({ klReference: weighted }), new Silent(spec))).length, 3);
  });

  it("asks no policy for whole distributions that no penalty reads", async () => {
    let count = 0;
    class Counting extends LogLinearPolicy {
      override evaluate(...given: Parameters<Policy["evaluate"]>): ReturnType<Policy["evaluate"]> {
        if (given[4]?.distributions) count++;
        return super.evaluate(...given);
      }
    }
    const { spec } = make("LookUp-v0");
    await records(recipe("gigpo"), new Counting(spec));
    assert.equal(count, 0);
    // Once before the update, and once for each of its four steps; three updates.
    await records(penalized({ klOld: { coef: 0.1 } }), new Counting(spec));
    assert.equal(count, 15);
  });

  it("goes on from a checkpoint of an earlier version, whose cells said less, as that version did", async () => {
    const { spec } = make("LookUp-v0");
    const row = penalized({ klReference: { coef: 0.1, form: "trl" }, klOld: { coef: 0.2, form: "trl" } });
    const o = { env: "LookUp-v0", groups: 4, groupSize: 4, seed: 1 } as const;
    const run = train({ ...o, policy: createPolicy(spec), recipe: row, updates: 2 });
    for await (const _ of run);
    const kept = JSON.parse(JSON.stringify(run.checkpoint())) as ReturnType<typeof run.checkpoint>;
    const short = { coef: 0.1, estimator: "k3" } as never;
    const earlier = {
      ...kept,
      recipe: {
        ...kept.recipe,
        reward: { ...kept.recipe.reward, kl: null },
        regularizer: {
          ...kept.recipe.regularizer,
          klReference: short,
          klOld: { ...(short as object), coef: 0.2 } as never,
        },
      },
    };
    const after = async (resume: typeof kept): Promise<Metrics[]> => {
      const found: Metrics[] = [];
      for await (const { metrics } of train({ resume, policy: createPolicy(spec), updates: 4 }))
        found.push(metrics);
      return found;
    };
    const [now, then] = [await after(kept), await after(earlier)];
    assert.equal(now.length, 2);
    assert.deepEqual(then, now);
  });
});
