import assert from "node:assert/strict";
import {
  make,
  type EnumerableEnv,
  enumerateReturn,
  optimalReturn,
  TabularPolicy,
  collect,
  createRng,
} from "turnwise";

describe("enumerateReturn()", () => {
  const env = make("LookUp-v0", { wrongPenalty: 0 }) as EnumerableEnv;

  it("gives the hand value of the uniform policy: J = 17/324 in 17/9 turns", () => {
    const { J, turns } = enumerateReturn(env, new TabularPolicy(env.spec));
    // J: see LookUp-v0's own test. Turns: 1 + P(first turn goes on) = 1 + 32/36.
    assert.ok(Math.abs(J - 17 / 324) < 1e-15);
    assert.ok(Math.abs(turns - 17 / 9) < 1e-14);
  });

  it("gives the hand gradient of the uniform policy at the first token", () => {
    const policy = new TabularPolicy(env.spec);
    const { gradient, histories } = enumerateReturn(env, policy);
    const root = histories.find((history) => history.turn === 0)!;
    assert.equal(root.probability, 1);
    assert.ok(Math.abs(root.value - 17 / 324) < 1e-15);
    // Row 0 is the first token of the first turn. dJ/dlogit = p (Q - V), p = 1/6, V = 17/324.
    // LOOKUP: Q = 1/36 (a random last turn): 1/6 x (9 - 17)/324 = -1/243.
    // ANSWER: Q = 1/6 (right value) + 2/6 (a tool name is malformed) x 1/36 = 19/108: 1/6 x (57 - 17)/324 = 5/243.
    assert.ok(Math.abs(gradient[1]! + 1 / 243) < 1e-15);
    assert.ok(Math.abs(gradient[0]! - 5 / 243) < 1e-15);
  });

  it("the gradient equals central differences in every parameter, for a random policy and a lying tool", () => {
    const noisy = make("LookUp-v0", { facts: 2, toolReliability: 0.8, turnCost: 0.05, passReward: 0.1 });
    const policy = new TabularPolicy(noisy.spec, { initialScale: 1, seed: 4 });
    const { gradient } = enumerateReturn(noisy, policy);
    const h = 1e-5;
    for (let i = 0; i < policy.parameters.length; i += 7) {
      const shifted = (delta: number): number => {
        const before = policy.parameters[i]!;
        policy.parameters[i] = before + delta;
        const { J } = enumerateReturn(noisy, policy, { gradient: false });
        policy.parameters[i] = before;
        return J;
      };
      const central = (shifted(h) - shifted(-h)) / (2 * h);
      assert.ok(Math.abs(gradient[i]! - central) < 1e-9, `parameter ${i}: ${gradient[i]} and ${central}`);
    }
  }).timeout(20000);

  it("J is the mean of sampled returns, within four standard errors", () => {
    const policy = new TabularPolicy(env.spec, { initialScale: 1, seed: 1 });
    const { J, turns } = enumerateReturn(env, policy, { gradient: false });
    const batch = collect(env, policy, { groups: 4000, groupSize: 1, rng: createRng(5) });
    const mean = batch.return_n.reduce((a, b) => a + b) / 4000;
    const standardError = Math.sqrt((J * (1 - J)) / 4000);
    assert.ok(Math.abs(mean - J) < 4 * standardError, `${mean} and ${J}`);
    const meanTurns = batch.turnCount_n.reduce((a, b) => a + b) / 4000;
    assert.ok(Math.abs(meanTurns - turns) < (4 * 0.5) / Math.sqrt(4000));
  });

  it("the probabilities of the histories of a turn sum to the chance of reaching it, those of a context's turns to 1", () => {
    const policy = new TabularPolicy(env.spec, { initialScale: 2, seed: 8 });
    const { histories, turns } = enumerateReturn(env, policy);
    const reached = (turn: number): number =>
      histories.filter((x) => x.turn === turn).reduce((sum, x) => sum + x.probability, 0);
    assert.ok(Math.abs(reached(0) - 1) < 1e-12);
    assert.ok(Math.abs(reached(0) + reached(1) - turns) < 1e-12);
    for (const { turns: list } of histories) {
      assert.ok(Math.abs(list.reduce((sum, turn) => sum + turn.probability, 0) - 1) < 1e-12);
    }
  });

  it("a policy that remembers the last observation only is enumerated over fewer contexts, with the same uniform J", () => {
    const forgetful = new TabularPolicy(env.spec, { memory: "observation" });
    const exact = enumerateReturn(env, forgetful);
    assert.ok(Math.abs(exact.J - 17 / 324) < 1e-15);
    // question at turn 0; question is not shown again: four results and the error at turn 1.
    assert.equal(exact.histories.length, 6);
  });

  it("refuses an environment that cannot be enumerated, and one that is too large", () => {
    const closed = { ...env, spec: env.spec, start: undefined } as unknown as EnumerableEnv;
    assert.throws(() => enumerateReturn(closed, new TabularPolicy(env.spec)), {
      name: "TypeError",
      message:
        "Cannot enumerate LookUp-v0: the environment must list its outcomes, but start and transition are missing.",
    });
    assert.throws(() => enumerateReturn(env, new TabularPolicy(env.spec), { maxNodes: 3 }), {
      name: "RangeError",
      message:
        "Cannot enumerate LookUp-v0: a turn must have at most 3 pairs of state and context, but turn 0 has 4.",
    });
  });
});

describe("optimalReturn()", () => {
  it("acts on what it was shown, and wins every episode", () => {
    const env = make("LookUp-v0");
    const optimum = optimalReturn(env);
    for (let seed = 0; seed < 20; seed++) {
      const [first] = env.reset({ seed });
      const ask = optimum.act({ observations: [first], actions: [] });
      const [result] = env.step(ask);
      const answer = optimum.act({ observations: [first, result], actions: [ask] });
      assert.equal(env.step(answer)[1], 1);
    }
  });

  it("maximizes over what is known, not over what is hidden", () => {
    // An oracle would answer at once for 1 - .3; without seeing the fact, two turns pay 1 - 2 x .3 = .4.
    assert.ok(Math.abs(optimalReturn(make("LookUp-v0", { turnCost: 0.3 })).J - 0.4) < 1e-12);
  });

  it("refuses a history that cannot happen", () => {
    const env = make("LookUp-v0");
    const [first] = env.reset({ seed: 0 });
    const impossible = { observations: [{ ...first, text: "?" }], actions: [] };
    assert.throws(() => optimalReturn(env).act(impossible), {
      name: "RangeError",
      message: "Cannot act in LookUp-v0: the history must be possible, but no hidden state agrees with it.",
    });
  });
});
