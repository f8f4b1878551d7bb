// Uses internals of turnwise/exact.
import assert from "node:assert/strict";
import { make, TabularPolicy, collect, createRng } from "turnwise";
import { allTurns } from "turnwise/internal/exact/turns";

describe("TabularPolicy", () => {
  const env = make("LookUp-v0");
  const history = { observations: [env.reset({ seed: 0 })[0]], actions: [] };

  it("the probabilities of all turns of a context sum to 1", () => {
    const policy = new TabularPolicy(env.spec, { initialScale: 1, seed: 3 });
    const context = policy.contextOf(history);
    let total = 0;
    for (const turn of allTurns(env.spec)) {
      total += Math.exp(
        turn.reduce((sum, token, l) => sum + policy.nextTokenLogProb(context, turn.slice(0, l))[token]!, 0),
      );
    }
    assert.ok(Math.abs(total - 1) < 1e-12);
  });

  it("backward() is the derivative of evaluate(), by central differences of log-prob, entropy and value", () => {
    const policy = new TabularPolicy(env.spec, { initialScale: 1, seed: 5, valueHead: true });
    const batch = collect(env, policy, { groups: 3, groupSize: 2, rng: createRng(2) });
    policy.evaluate(batch);
    const rng = createRng(9);
    const cells = batch.token_ntl.length;
    const dLogProb_ntl = Float64Array.from({ length: cells }, () => rng.normal());
    const dEntropy_ntl = Float64Array.from({ length: cells }, () => rng.normal());
    const dValue_nt = Float64Array.from({ length: batch.reward_nt.length }, () => rng.normal());
    const loss = (): number => {
      const { logProb_ntl, entropy_ntl, value_nt } = policy.evaluate(batch);
      let sum = 0;
      for (let i = 0; i < cells; i++) {
        if (batch.mask_ntl[i]) sum += dLogProb_ntl[i]! * logProb_ntl[i]! + dEntropy_ntl[i]! * entropy_ntl[i]!;
      }
      for (let i = 0; i < value_nt!.length; i++) sum += dValue_nt[i]! * value_nt![i]!;
      return sum;
    };
    const gradient = policy.backward(batch, { dLogProb_ntl, dEntropy_ntl, dValue_nt });
    assert.equal(gradient.length, policy.parameters.length);
    const h = 1e-5;
    for (let i = 0; i < policy.parameters.length; i++) {
      policy.parameters[i]! += h;
      const up = loss();
      policy.parameters[i]! -= 2 * h;
      const down = loss();
      policy.parameters[i]! += h;
      assert.ok(Math.abs(gradient[i]! - (up - down) / (2 * h)) < 1e-8, `parameter ${i}`);
    }
  });

  it("masked cells change nothing: NaN in their derivatives leaves the gradient as it is", () => {
    const policy = new TabularPolicy(env.spec, { initialScale: 1, seed: 5 });
    const batch = collect(env, policy, { groups: 16, groupSize: 2, rng: createRng(2) });
    assert.ok(batch.mask_ntl.includes(0));
    const clean = batch.token_ntl.length;
    const dLogProb_ntl = new Float64Array(clean).fill(1);
    const expected = policy.backward(batch, { dLogProb_ntl });
    const poisoned = dLogProb_ntl.map((d, i) => (batch.mask_ntl[i] ? d : NaN));
    assert.deepEqual(policy.backward(batch, { dLogProb_ntl: poisoned }), expected);
  });

  it("rows and turns restrict evaluate() and backward() to those cells", () => {
    const policy = new TabularPolicy(env.spec, { initialScale: 1, seed: 5 });
    const batch = collect(env, policy, { groups: 4, groupSize: 2, rng: createRng(2) });
    const whole = policy.evaluate(batch).logProb_ntl;
    const part = policy.evaluate(batch, [1, 3], [1]).logProb_ntl;
    const [, T, L] = batch.shape;
    part.forEach((logProb, cell) => {
      const [n, t] = [Math.floor(cell / (T * L)), Math.floor(cell / L) % T];
      assert.equal(logProb, (n === 1 || n === 3) && t === 1 ? whole[cell] : 0);
    });
  });

  it("a row's initial logits do not depend on the order in which rows are met", () => {
    const [a, b] = [0, 1].map(() => new TabularPolicy(env.spec, { initialScale: 1, seed: 6 }));
    const context = a!.contextOf(history);
    const first = a!.nextTokenLogProb(context, []);
    b!.nextTokenLogProb(context, [2]);
    assert.deepEqual(b!.nextTokenLogProb(context, []), first);
  });

  it("state() and restore() give the same policy, clone() an independent one", () => {
    const policy = new TabularPolicy(env.spec, { initialScale: 1, seed: 5 });
    const batch = collect(env, policy, { groups: 4, groupSize: 2, rng: createRng(2) });
    const copy = policy.clone();
    const again = new TabularPolicy(env.spec, { initialScale: 1, seed: 5 });
    again.restore(JSON.parse(JSON.stringify(policy.state())) as ReturnType<typeof policy.state>);
    assert.deepEqual(again.evaluate(batch), policy.evaluate(batch));
    policy.parameters.fill(0);
    assert.notDeepEqual(copy.evaluate(batch), policy.evaluate(batch));
    assert.throws(() => again.restore({ name: "mlp", parameters: [1], extra: [] }), {
      name: "TypeError",
      message:
        "Cannot restore a tabular policy: the state must have 6 parameters per row, got a mlp policy of 1 parameters.",
    });
  });

  it("knows the syntax of calls and nothing of the task when given a syntax prior", () => {
    const env = make("LookUp-v0");
    const { vocabulary, syntax } = env.spec;
    const [observation] = env.reset({ seed: 0 });
    const policy = new TabularPolicy(env.spec, { syntaxPrior: Math.log(10) });
    const context = policy.contextOf({ observations: [observation], actions: [] });
    // 2 tools of weight 10 and 4 values of weight 1: a tool has 10/24 at the first place;
    // at the second a value has 10 / (4 * 10 + 2) = 10/42.
    for (const [place, prefix] of [[], [0]].entries()) {
      const p = Array.from(policy.nextTokenLogProb(context, prefix), Math.exp);
      const total = place === 0 ? 24 : 42;
      vocabulary.forEach((_, v) => {
        const expected = (syntax![place]!.includes(v) ? 10 : 1) / total;
        assert.ok(Math.abs(p[v]! - expected) < 1e-12, `place ${place}, token ${v}: ${p[v]}`);
      });
    }
  });

  it("refuses a syntax prior where calls have no syntax", () => {
    assert.throws(() => new TabularPolicy(make("Tiger-v0").spec, { syntaxPrior: 3 }), {
      name: "RangeError",
      message: "Cannot make a tabular policy: syntaxPrior must be 0 where calls have no syntax, got 3.",
    });
  });
});
