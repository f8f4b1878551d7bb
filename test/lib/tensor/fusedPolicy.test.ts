// Uses internals of turnwise/policy.
import assert from "node:assert/strict";
import { collect, createRng, make, NeuralPolicy, recipe, train, type Batch } from "turnwise";
import { type EvaluationGradient, type NeuralOptions } from "turnwise/internal/policy/index";
import { FusedCompute } from "turnwise/internal/policy/neural/fusedCompute";
import { fusedNetworkOf } from "turnwise/internal/policy/neural/fusedNetworkOf";
import { Arena, fusedArena, plainKernels } from "turnwise/internal/tensor/fused/index";

const KINDS: readonly NeuralOptions["kind"][] = ["mlp", "gru", "transformer"];

/** Rounding of 32 bits, over some hundred sums of numbers near 1. */
const TOLERANCE = 2e-5;

function largestDifference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return Array.from(a).reduce((most, x, i) => Math.max(most, Math.abs(x - b[i]!)), 0);
}

/** Only a transformer has layers to speak of. */
const deep = (kind: NeuralOptions["kind"]): { layers?: number } =>
  kind === "transformer" ? { layers: 2 } : {};

describe("NeuralPolicy on fused kernels", () => {
  const env = make("LookUp-v0", { facts: 2 });
  const rng = createRng(9);

  /** The same weights, away from the initial ones, in both computations. */
  const pair = (o: Omit<NeuralOptions, "compute">): { exact: NeuralPolicy; fused: NeuralPolicy } => {
    const exact = new NeuralPolicy(env.spec, { seed: 1, window: 8, ...o });
    const fused = new NeuralPolicy(env.spec, { seed: 1, window: 8, ...o, compute: "wasm" });
    for (let i = 0; i < exact.parameters.length; i++) exact.parameters[i]! += 0.2 * rng.normal();
    fused.parameters.set(exact.parameters);
    return { exact, fused };
  };
  const sampled = (policy: NeuralPolicy, groups = 8): Batch =>
    collect(env, policy, { groups, groupSize: 2, rng: createRng(2) });
  const derivative = (batch: Batch): Required<Omit<EvaluationGradient, "dLogit_ntlv">> => {
    const normals = (length: number): Float64Array => Float64Array.from({ length }, () => rng.normal());
    return {
      dLogProb_ntl: normals(batch.token_ntl.length),
      dEntropy_ntl: normals(batch.token_ntl.length),
      dValue_nt: normals(batch.reward_nt.length),
    };
  };

  for (const kind of KINDS) {
    describe(kind, () => {
      for (const width of [6, 32]) {
        it(`width ${width}: values and gradient of the double-precision form, to ${TOLERANCE} of the largest; plain kernels too`, () => {
          const { exact, fused } = pair({ kind, width, ...deep(kind), valueHead: true });
          const batch = sampled(exact);
          const gradient = derivative(batch);
          const reference = exact.evaluate(batch);
          const slope = exact.backward(batch, gradient);
          const largest = largestDifference(slope, new Float64Array(slope.length));
          assert.ok(largest > 1);

          const table = exact.parameterTable();
          const at = (name: string): number => {
            const index = table.findIndex((row) => row.name === name);
            return table.slice(0, index).reduce((sum, { count }) => sum + count, 0);
          };
          // 4 tokens to write, 5 to see, 1 start.
          const plain = new FusedCompute({
            spec: env.spec,
            window: 8,
            network: fusedNetworkOf(10, { kind, width, window: 8, layers: 2 }, at),
            parameterCount: exact.parameters.length,
            valueHead: true,
            at,
            arena: new Arena(plainKernels()),
          });
          const { parameters } = exact;
          const forms = [
            { evaluation: fused.evaluate(batch), back: fused.backward(batch, gradient) },
            {
              evaluation: plain.evaluate(parameters, batch),
              back: plain.backward(parameters, batch, gradient),
            },
          ];
          for (const { evaluation, back } of forms) {
            for (const part of ["logProb_ntl", "entropy_ntl", "value_nt"] as const) {
              const difference = largestDifference(evaluation[part]!, reference[part]!);
              assert.ok(difference < TOLERANCE, `${part}: ${difference}`);
            }
            const difference = largestDifference(back, slope);
            assert.ok(difference < TOLERANCE * largest, `gradient: ${difference} of ${largest}`);
          }
          assert.ok(largestDifference(forms[0]!.back, forms[1]!.back) > 0, "two forms, not one");
        }).timeout(60_000);
      }

      it("the gradient is the derivative along 12 random directions, by central differences", () => {
        const { fused } = pair({ kind, width: 8, ...deep(kind), valueHead: true });
        const batch = sampled(fused);
        const gradient = derivative(batch);
        const loss = (): number => {
          const { logProb_ntl, entropy_ntl, value_nt } = fused.evaluate(batch);
          let sum = 0;
          batch.mask_ntl.forEach((active, i) => {
            if (!active) return;
            sum += gradient.dLogProb_ntl[i]! * logProb_ntl[i]! + gradient.dEntropy_ntl[i]! * entropy_ntl[i]!;
          });
          value_nt!.forEach((value, i) => (sum += gradient.dValue_nt[i]! * value));
          return sum;
        };
        const analytic = fused.backward(batch, gradient);
        const origin = fused.parameters.slice();
        // Steps of .004 on losses rounded at 1e-5: noise of .003; the third-order term is smaller.
        const h = 0.004;
        for (let trial = 0; trial < 12; trial++) {
          const direction = origin.map(() => rng.normal());
          const norm = Math.hypot(...direction);
          const at = (step: number): number => {
            origin.forEach((x, i) => (fused.parameters[i] = x + (step * direction[i]!) / norm));
            return loss();
          };
          const central = (at(h) - at(-h)) / (2 * h);
          const along = analytic.reduce((sum, g, i) => sum + (g * direction[i]!) / norm, 0);
          assert.ok(Math.abs(central - along) < 0.01, `${central} and ${along}`);
        }
      });

      it("evaluate() gives the very bits that sample() stored, alone and in company, and so does nextTokenLogProb()", () => {
        const { fused } = pair({ kind, width: 6, ...deep(kind) });
        const batch = sampled(fused, 20);
        const [N, T, L] = batch.shape;
        const { logProb_ntl } = fused.evaluate(batch);
        assert.deepEqual(logProb_ntl, batch.oldLogProb_ntl);
        for (let n = 0; n < N; n += 7) {
          const alone = fused.evaluate(batch, [n]).logProb_ntl;
          const from = n * T * L;
          assert.deepEqual(alone.subarray(from, from + T * L), logProb_ntl.subarray(from, from + T * L));
          const context = batch.context_nt[n]![0] as number[];
          for (let l = 0; l < L && batch.mask_ntl[from + l]; l++) {
            const prefix = Array.from(batch.token_ntl.subarray(from, from + l));
            const next = fused.nextTokenLogProb(context, prefix);
            assert.equal(next[batch.token_ntl[from + l]!], logProb_ntl[from + l]);
          }
        }
      });

      it("sampling at a temperature of 2 stores the log-probs of logits divided by 2", () => {
        const { exact, fused } = pair({ kind, width: 8 });
        const history = { observations: [env.reset({ seed: 0 })[0]], actions: [] };
        const [hot] = fused.sample([history], [createRng(5)], { temperature: 2 });
        const [same] = exact.sample([history], [createRng(5)], { temperature: 2 });
        assert.deepEqual(hot!.tokens, same!.tokens);
        assert.ok(largestDifference(hot!.logProb, same!.logProb) < TOLERANCE);
      });

      it("masked cells change nothing: NaN in their derivatives leaves the gradient as it is", () => {
        const { fused } = pair({ kind, width: 6 });
        const batch = sampled(fused);
        assert.ok(batch.mask_ntl.includes(0));
        const dLogProb_ntl = new Float64Array(batch.token_ntl.length).fill(1);
        const poisoned = dLogProb_ntl.map((d, i) => (batch.mask_ntl[i] ? d : NaN));
        assert.deepEqual(
          fused.backward(batch, { dLogProb_ntl: poisoned }),
          fused.backward(batch, { dLogProb_ntl }),
        );
      });

      it("a NaN in the weights comes out as NaN and is not lost in a clamp", () => {
        const { fused } = pair({ kind, width: 6 });
        const batch = sampled(fused);
        fused.parameters.fill(NaN, fused.parameters.length - 10);
        assert.ok(fused.evaluate(batch).logProb_ntl.some(Number.isNaN));
      });

      it("goes backward through its own evaluation, even when another policy ran in between", () => {
        const { fused } = pair({ kind, width: 6 });
        const other = pair({ kind, width: 8 }).fused;
        const batch = sampled(fused);
        const gradient = derivative(batch);
        const evaluation = fused.evaluate(batch);
        const direct = fused.backward(batch, gradient, undefined, undefined, evaluation);
        const again = fused.backward(batch, gradient, undefined, undefined, evaluation);
        other.evaluate(batch);
        const later = fused.backward(batch, gradient, undefined, undefined, evaluation);
        assert.deepEqual(again, direct);
        assert.deepEqual(later, direct);
      });

      const options = (updates: number): Parameters<typeof train>[0] => ({
        env: "KeyDoor-v0",
        envOptions: { turns: 2, colours: 2 },
        policy: { kind, width: 8, window: 8, compute: "wasm" },
        recipe: recipe("rloo", { update: { optimizer: { learningRate: 0.03 } } }),
        updates,
        seed: 1,
      });

      it("trains to the same records from the same seed, and from a checkpoint on the way", async () => {
        const metricsOf = async (run: ReturnType<typeof train>): Promise<unknown[]> => {
          const records: unknown[] = [];
          for await (const { metrics } of run) records.push(metrics);
          return records;
        };
        const whole = await metricsOf(train(options(12)));
        const half = train(options(6));
        const first = await metricsOf(half);
        const resume = JSON.parse(JSON.stringify(half.checkpoint())) as ReturnType<typeof half.checkpoint>;
        const policy = new NeuralPolicy(half.env.spec, { kind, width: 8, window: 8, compute: "wasm" });
        const second = await metricsOf(train({ resume, policy, updates: 12 }));
        assert.deepEqual([...first, ...second], whole);
        assert.deepEqual(await metricsOf(train(options(12))), whole);
      }).timeout(120_000);

      it("learns to remember a key, and its memory does not grow over 200 updates", async () => {
        let reward = 0;
        let bytes = 0;
        for await (const { metrics, update } of train(options(200))) {
          reward = metrics["reward/mean"]!;
          if (update === 20) ({ bytes } = fusedArena());
        }
        assert.ok(reward > 0.9, String(reward));
        // Memory that is not given back would be 180 times what an update needs: tens of megabytes.
        assert.ok(fusedArena().bytes <= bytes + 2 ** 20, `${bytes} and ${fusedArena().bytes}`);
      }).timeout(300_000);
    });
  }

  it("compute auto takes one of the two, keeps to it, and a restored state brings its own along", () => {
    const made = (): NeuralPolicy =>
      new NeuralPolicy(env.spec, { kind: "gru", width: 16, window: 8, compute: "auto" });
    const policy = made();
    assert.ok(policy.compute === "wasm" || policy.compute === "float64");
    assert.equal(made().compute, policy.compute);
    const other = policy.compute === "wasm" ? "float64" : "wasm";
    const state = policy.state();
    assert.deepEqual(state.extra, { compute: policy.compute });
    policy.restore({ ...state, extra: { compute: other } });
    assert.equal(policy.compute, other);
    assert.deepEqual(policy.parameters, made().parameters);
    const fixed = new NeuralPolicy(env.spec, { kind: "gru", width: 16, window: 8, compute: other });
    fixed.restore(state);
    assert.equal(fixed.compute, other);
  });

  it("names a compute that it does not know", () => {
    assert.throws(() => new NeuralPolicy(env.spec, { kind: "mlp", compute: "gpu" as "wasm" }), {
      name: "RangeError",
      message: 'Cannot make a mlp policy: compute must be "float64" or "wasm" or "auto", got "gpu".',
    });
  });
});
