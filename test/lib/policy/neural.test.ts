// Uses internals of turnwise/exact.
import assert from "node:assert/strict";
import {
  collect,
  createPolicy,
  createRng,
  enumerateReturn,
  make,
  NeuralPolicy,
  recipe,
  train,
} from "turnwise";
import { type NeuralOptions } from "turnwise/internal/policy/index";
import { allTurns } from "turnwise/internal/exact/turns";

const KINDS: readonly NeuralOptions["kind"][] = ["mlp", "gru", "transformer"];

describe("NeuralPolicy", () => {
  const env = make("LookUp-v0", { facts: 2 });

  for (const kind of KINDS) {
    describe(kind, () => {
      const made = (o: Partial<NeuralOptions> = {}): NeuralPolicy =>
        new NeuralPolicy(env.spec, {
          kind,
          width: 6,
          seed: 1,
          ...(kind === "transformer" && { layers: 2 }),
          ...o,
        });
      const sampled = (policy: NeuralPolicy): ReturnType<typeof collect> =>
        collect(env, policy, { groups: 3, groupSize: 2, rng: createRng(2) });

      it("evaluate() gives the log-probs that sample() stored, whatever runs beside it", () => {
        const policy = made();
        const batch = sampled(policy);
        const { logProb_ntl } = policy.evaluate(batch);
        const alone = policy.evaluate(batch, [4]);
        batch.mask_ntl.forEach((active, cell) => {
          if (!active) assert.equal(logProb_ntl[cell], 0);
          else assert.ok(Math.abs(logProb_ntl[cell]! - batch.oldLogProb_ntl[cell]!) < 1e-12);
          if (active && Math.floor(cell / 4) === 4) assert.equal(alone.logProb_ntl[cell], logProb_ntl[cell]);
        });
      });

      it("backward() is the derivative of evaluate(), by central differences in every weight", () => {
        const policy = made({ valueHead: true, window: 8 });
        const rng = createRng(9);
        // Away from the initial weights, so that biases, gains and the value head are no round numbers.
        for (let i = 0; i < policy.parameters.length; i++) policy.parameters[i]! += 0.2 * rng.normal();
        const batch = sampled(policy);
        const normals = (length: number): Float64Array => Float64Array.from({ length }, () => rng.normal());
        const gradient = {
          dLogProb_ntl: normals(batch.token_ntl.length),
          dEntropy_ntl: normals(batch.token_ntl.length),
          dValue_nt: normals(batch.reward_nt.length),
        };
        const loss = (): number => {
          const { logProb_ntl, entropy_ntl, value_nt } = policy.evaluate(batch);
          let sum = 0;
          batch.mask_ntl.forEach((active, i) => {
            if (!active) return;
            sum += gradient.dLogProb_ntl[i]! * logProb_ntl[i]! + gradient.dEntropy_ntl[i]! * entropy_ntl[i]!;
          });
          value_nt!.forEach((value, i) => {
            sum += gradient.dValue_nt[i]! * value;
          });
          return sum;
        };
        const analytic = policy.backward(batch, gradient);
        const h = 1e-5;
        for (let i = 0; i < policy.parameters.length; i += 3) {
          policy.parameters[i]! += h;
          const up = loss();
          policy.parameters[i]! -= 2 * h;
          const down = loss();
          policy.parameters[i]! += h;
          const central = (up - down) / (2 * h);
          assert.ok(Math.abs(analytic[i]! - central) < 1e-6, `weight ${i}: ${analytic[i]} and ${central}`);
        }
      }).timeout(20000);

      it("the probabilities of all turns of a context sum to 1", () => {
        const policy = made();
        const context = policy.contextOf({ observations: [env.reset({ seed: 0 })[0]], actions: [] });
        let total = 0;
        for (const turn of allTurns(env.spec)) {
          total += Math.exp(
            turn.reduce(
              (sum, token, l) => sum + policy.nextTokenLogProb(context, turn.slice(0, l))[token]!,
              0,
            ),
          );
        }
        assert.ok(Math.abs(total - 1) < 1e-12);
      });

      it("masked cells change nothing: NaN in their derivatives leaves the gradient as it is", () => {
        const policy = made();
        const batch = collect(env, policy, { groups: 8, groupSize: 2, rng: createRng(2) });
        assert.ok(batch.mask_ntl.includes(0));
        const dLogProb_ntl = new Float64Array(batch.token_ntl.length).fill(1);
        const poisoned = dLogProb_ntl.map((d, i) => (batch.mask_ntl[i] ? d : NaN));
        assert.deepEqual(
          policy.backward(batch, { dLogProb_ntl: poisoned }),
          policy.backward(batch, { dLogProb_ntl }),
        );
      });

      it("its exact return is the mean of sampled ones, within four standard errors", () => {
        const policy = made();
        const { J } = enumerateReturn(env, policy, { gradient: false });
        const { return_n } = collect(env, policy, { groups: 500, groupSize: 1, rng: createRng(4) });
        const mean = return_n.reduce((a, b) => a + b) / 500;
        const variance = return_n.reduce((sum, x) => sum + (x - mean) ** 2, 0) / 500;
        assert.ok(Math.abs(mean - J) < 4 * Math.sqrt(variance / 500), `${mean} and ${J}`);
      }).timeout(10000);

      it("learns to remember a key: from 1/3 to above .9 in KeyDoor-v0", async () => {
        const run = train({
          env: "KeyDoor-v0",
          envOptions: { turns: 2, colours: 2 },
          policy: { kind, width: 8, window: 8 },
          recipe: recipe("rloo", { update: { optimizer: { learningRate: 0.03 } } }),
          updates: 80,
          seed: 1,
        });
        let reward = 0;
        for await (const { metrics } of run) {
          reward = metrics["reward/mean"]!;
          if (reward === 1) break;
        }
        assert.ok(reward > 0.9, String(reward));
      }).timeout(60000);
    });
  }

  it("prints its parameters: names, shapes and counts that add up", () => {
    const policy = new NeuralPolicy(env.spec, { kind: "mlp", width: 4, window: 5, valueHead: true });
    // 4 tokens to write, 5 to see (question, two facts, error, done), 1 start: 5 x 10 x 4 = 200 weights of embedding.
    assert.deepEqual(policy.parameterTable(), [
      { name: "embedding", shape: [50, 4], count: 200 },
      { name: "bias1", shape: [4], count: 4 },
      { name: "weight2", shape: [4, 4], count: 16 },
      { name: "bias2", shape: [4], count: 4 },
      { name: "out", shape: [4, 4], count: 16 },
      { name: "out-bias", shape: [4], count: 4 },
      { name: "value", shape: [4, 1], count: 4 },
    ]);
    assert.equal(policy.parameters.length, 248);
  });

  it("state() and restore() give the same policy; that of another shape is refused", () => {
    const policy = new NeuralPolicy(env.spec, { kind: "gru", width: 4, seed: 1 });
    const again = new NeuralPolicy(env.spec, { kind: "gru", width: 4, seed: 2 });
    again.restore(JSON.parse(JSON.stringify(policy.state())) as ReturnType<typeof policy.state>);
    assert.deepEqual(again.parameters, policy.parameters);
    assert.throws(() => again.restore({ name: "gru", parameters: [1] }), {
      name: "TypeError",
      message: /^Cannot restore a gru policy: the state must have \d+ parameters, got a gru policy of 1\.$/,
    });
  });

  it("names options that do not fit", () => {
    assert.throws(() => new NeuralPolicy(env.spec, { kind: "transformer", width: 5, heads: 2 }), {
      name: "RangeError",
      message: "Cannot make a transformer policy: width must be a multiple of heads, got 5 and 2.",
    });
    assert.throws(() => new NeuralPolicy(env.spec, { kind: "gru", window: 2 }), {
      message: "Cannot make a gru policy: window must be an integer above maxTokens (2), got 2.",
    });
    assert.throws(() => createPolicy(env.spec, { kind: "rnn" } as unknown as NeuralOptions), {
      message:
        'Cannot make a policy: kind must be "tabular" or "logLinear" or "mlp" or "gru" or "transformer", got "rnn".',
    });
  });
});
