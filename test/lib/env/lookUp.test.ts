import assert from "node:assert/strict";
import { make, type EnumerableEnv, optimalReturn, score } from "turnwise";
import { randomReturn, referenceReturns } from "turnwise/exact";
import { expectGolden, transcript } from "./transcript";

// Tokens with the default four facts: 0 ANSWER, 1 LOOKUP, 2..5 the values 0..3.
const [ANSWER, LOOKUP] = [0, 1];
const factOf = (env: EnumerableEnv, seed: number): number =>
  Number((env.reset({ seed })[1]["taskId"] as string).slice("fact=".length));

describe("LookUp-v0", () => {
  const env = make("LookUp-v0") as EnumerableEnv;

  it("LOOKUP shows the hidden fact, and ANSWER of that fact is paid 1", () => {
    for (let seed = 0; seed < 10; seed++) {
      const fact = factOf(env, seed);
      const [observation, reward, terminated] = env.step([LOOKUP, 0]);
      assert.equal(observation.text, `result: the fact is ${fact}`);
      assert.deepEqual([reward, terminated], [0, false]);
      assert.deepEqual(env.step([ANSWER, 2 + fact]).slice(1, 4), [1, true, false]);
    }
  });

  it("a wrong answer ends the episode with minus 1/3, which makes a blind guess worth nothing", () => {
    const fact = factOf(env, 3);
    assert.deepEqual(env.step([ANSWER, 2 + ((fact + 1) % 4)]).slice(1, 4), [-1 / 3, true, false]);
  });

  it("a malformed call is an observation, uses up its turn, and leaves the fact as it was", () => {
    const fact = factOf(env, 5);
    const [observation, reward, terminated] = env.step([3, 3]);
    assert.equal(observation.text, "error: no tool named 1");
    assert.deepEqual([reward, terminated], [0, false]);
    assert.deepEqual(env.step([ANSWER, 2 + fact]).slice(1, 3), [1, true]);
    env.reset({ seed: 5 });
    assert.equal(env.step([ANSWER, LOOKUP])[0].text, "error: ANSWER needs a value");
    assert.deepEqual(env.step([ANSWER, LOOKUP]).slice(1, 4), [0, true, false]); // out of turns
  });

  it("the random agent gets 0 and the best 1; without the penalty the random agent gets 17/324", () => {
    // A random answer is right with 1/4 and wrong with 3/4: 1/4 - 3/4 x 1/3 = 0.
    assert.ok(Math.abs(randomReturn(env)) < 1e-15);
    assert.ok(Math.abs(optimalReturn(env).J - 1) < 1e-15);
    // Last turn: P(ANSWER) P(c) = 1/36. First turn: 1/36 right, 3/36 wrong and over, 32/36 go on:
    // J = 1/36 + 32/36 x 1/36 = 17/324.
    const free = make("LookUp-v0", { wrongPenalty: 0 });
    assert.ok(Math.abs(randomReturn(free) - 17 / 324) < 1e-15);
    assert.equal(score(1, referenceReturns(free)), 1);
    assert.equal(score(17 / 324, referenceReturns(free)), 0);
  });

  it("options move the optimum as arithmetic says", () => {
    const optimum = (options: object): number =>
      optimalReturn(make("LookUp-v0", { wrongPenalty: 0, ...options })).J;
    const near = (actual: number, expected: number): void =>
      assert.ok(Math.abs(actual - expected) < 1e-12, `${actual} is not ${expected}`);
    near(optimum({ turnCost: 0.1 }), 0.8); // two turns: 1 - .2
    near(optimum({ turnCost: 0.9 }), -0.65); // one turn and a blind answer: 1/4 - .9, against 1 - 1.8
    near(optimum({ toolReliability: 0.5 }), 0.5); // believe the tool
    near(optimum({ toolReliability: 0.1 }), 0.3); // the tool lies: any of the others has (1 - .1) / 3
    near(optimum({ toolReliability: 0.25, passReward: 0.3 }), 0.3); // the tool says nothing: pass
    near(optimum({ facts: 7 }), 1);
    near(optimum({ toolReliability: 0.5, wrongPenalty: 0.4 }), 0.3); // .5 - .5 x .4
    near(optimum({ toolReliability: 0.5, wrongPenalty: 2 }), 0); // not worth an answer
  });

  it("plays as its golden transcript says", () => {
    const optimum = optimalReturn(env);
    expectGolden(
      "LookUp-v0",
      transcript(env, "the optimal agent", 6, (seen) => optimum.act(seen)),
    );
  });

  it("names the options that it does not know or cannot use", () => {
    assert.throws(() => make("LookUp-v0", { fact: 3 }), {
      name: "RangeError",
      message: 'Cannot make LookUp-v0: unknown option "fact".\nDid you mean "facts"?',
    });
    assert.throws(() => make("LookUp-v0", { toolReliability: 1.5 }), {
      name: "RangeError",
      message: "Cannot make LookUp-v0: toolReliability must be from 0 to 1, got 1.5.",
    });
    assert.throws(() => make("LookUp-v0", { facts: "4" }), {
      name: "TypeError",
      message: 'Cannot make LookUp-v0: facts must be an integer from 2 to 100, got "4".',
    });
  });
});
