// Uses internals of turnwise/exact.
import assert from "node:assert/strict";
import {
  collect,
  createRng,
  enumerateReturn,
  LogLinearPolicy,
  make,
  recipe,
  toolChainPolicy,
  train,
  type Batch,
} from "turnwise";
import { allTurns } from "turnwise/internal/exact/turns";

describe("LogLinearPolicy", () => {
  const env = make("ToolChain-v0");
  const small = make("LookUp-v0");

  it("has the 645 rows of ten weights that the reference counts for ToolChain-v0, four times as many per turn", () => {
    // 3 + 3 x 16 + 3 x 11 + 3 x 16 x 11 + 3 x 11 = 645
    const shared = new LogLinearPolicy(env.spec);
    assert.equal(shared.rowCount, 645);
    assert.equal(shared.parameters.length, 6450);
    assert.equal(new LogLinearPolicy(env.spec, { perTurn: true }).rowCount, 4 * 645);
  });

  it("beta sets the competence that the reference measured: .05, .20, .50, .77 of episodes", () => {
    for (const [beta, expected] of [
      [2, 0.05],
      [3, 0.2],
      [4, 0.5],
      [5, 0.77],
    ] as const) {
      let sum = 0;
      for (let seed = 0; seed < 10; seed++) {
        const policy = toolChainPolicy(env.spec, { beta, seed });
        const batch = collect(env, policy, { groups: 50, groupSize: 4, rng: createRng(seed) });
        sum += batch.return_n.reduce((a, b) => a + b) / 200;
      }
      // Standard error of 2000 episodes and ten weight draws: below .02.
      assert.ok(Math.abs(sum / 10 - expected) < 0.05, `beta ${beta}: ${sum / 10}`);
    }
  });

  it("the probabilities of all turns of a context sum to 1", () => {
    const policy = new LogLinearPolicy(small.spec, { initialScale: 1, seed: 3 });
    const context = policy.contextOf({ observations: [small.reset({ seed: 0 })[0]], actions: [] });
    let total = 0;
    for (const turn of allTurns(small.spec)) {
      total += Math.exp(
        turn.reduce((sum, token, l) => sum + policy.nextTokenLogProb(context, turn.slice(0, l))[token]!, 0),
      );
    }
    assert.ok(Math.abs(total - 1) < 1e-12);
  });

  for (const perTurn of [false, true]) {
    it(`backward() is the derivative of evaluate(), by central differences, perTurn ${perTurn}`, () => {
      const policy = new LogLinearPolicy(small.spec, { initialScale: 1, seed: 5, valueHead: true, perTurn });
      const batch = collect(small, policy, { groups: 3, groupSize: 3, rng: createRng(2) });
      const rng = createRng(9);
      const normals = (length: number): Float64Array => Float64Array.from({ length }, () => rng.normal());
      const gradient = {
        dLogProb_ntl: normals(batch.token_ntl.length),
        dEntropy_ntl: normals(batch.token_ntl.length),
        dValue_nt: normals(batch.reward_nt.length),
      };
      const loss = (): number => weightedSum(policy, batch, gradient);
      const analytic = policy.backward(batch, gradient);
      const h = 1e-5;
      for (let i = 0; i < policy.parameters.length; i += 3) {
        policy.parameters[i]! += h;
        const up = loss();
        policy.parameters[i]! -= 2 * h;
        const down = loss();
        policy.parameters[i]! += h;
        assert.ok(Math.abs(analytic[i]! - (up - down) / (2 * h)) < 1e-8, `parameter ${i}`);
      }
    });
  }

  it("separate and shared parameters start as the same policy", () => {
    const [shared, separate] = [false, true].map((perTurn) =>
      toolChainPolicy(env.spec, { beta: 2, seed: 3, perTurn }),
    );
    const batch = collect(env, shared!, { groups: 4, groupSize: 2, rng: createRng(1) });
    assert.deepEqual(separate!.evaluate(batch).logProb_ntl, shared!.evaluate(batch).logProb_ntl);
  });

  it("enumeration over its contexts agrees with sampling, within four standard errors", () => {
    const short = make("ToolChain-v0", { maxTurns: 2, turnCost: 0.1 });
    const policy = toolChainPolicy(short.spec, { beta: 3, seed: 1 });
    const { J } = enumerateReturn(short, policy, { gradient: false });
    const batch = collect(short, policy, { groups: 4000, groupSize: 1, rng: createRng(3) });
    const mean = batch.return_n.reduce((a, b) => a + b) / 4000;
    const variance = batch.return_n.reduce((sum, x) => sum + (x - mean) ** 2, 0) / 4000;
    assert.ok(Math.abs(mean - J) < 4 * Math.sqrt(variance / 4000), `${mean} and ${J}`);
  }).timeout(30000);

  it("learns the chain: 500 updates of 64 trajectories bring grpo from .05 to above .95", async () => {
    const policy = toolChainPolicy(env.spec, { beta: 2, seed: 0 });
    const row = recipe("grpo", {
      aggregate: "tokenMean",
      update: { epochs: 1, minibatches: 1, optimizer: { kind: "sgd", learningRate: 8 } },
    });
    let last = 0;
    for await (const { update, metrics } of train({ env, policy, recipe: row, updates: 500, seed: 0 })) {
      if (update > 480) last += metrics["success/mean"]! / 20;
    }
    assert.ok(last > 0.95, String(last));
  }).timeout(30000);

  it("state() and restore() give the same policy; that of another size is refused", () => {
    const policy = toolChainPolicy(env.spec, { beta: 2, seed: 3 });
    const again = new LogLinearPolicy(env.spec);
    again.restore(JSON.parse(JSON.stringify(policy.state())) as ReturnType<typeof policy.state>);
    assert.deepEqual(again.parameters, policy.parameters);
    assert.throws(() => again.restore(new LogLinearPolicy(small.spec).state()), {
      name: "TypeError",
      message:
        /^Cannot restore a log-linear policy: the state must have 6450 parameters, got a logLinear policy of \d+\.$/,
    });
  });

  it("refuses observations of more than one token", () => {
    const policy = new LogLinearPolicy(env.spec);
    assert.throws(() => policy.contextOf({ observations: [{ tokens: [10, 11], text: "" }], actions: [] }), {
      name: "TypeError",
      message:
        "Cannot use a log-linear policy: an observation must be one token of the observation vocabulary, got [10, 11].",
    });
  });
});

function weightedSum(
  policy: LogLinearPolicy,
  batch: Batch,
  weight: { dLogProb_ntl: Float64Array; dEntropy_ntl: Float64Array; dValue_nt: Float64Array },
): number {
  const { logProb_ntl, entropy_ntl, value_nt } = policy.evaluate(batch);
  let sum = 0;
  for (let i = 0; i < logProb_ntl.length; i++) {
    if (!batch.mask_ntl[i]) continue;
    sum += weight.dLogProb_ntl[i]! * logProb_ntl[i]! + weight.dEntropy_ntl[i]! * entropy_ntl[i]!;
  }
  for (let i = 0; i < value_nt!.length; i++) sum += weight.dValue_nt[i]! * value_nt![i]!;
  return sum;
}
