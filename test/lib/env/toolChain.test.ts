import assert from "node:assert/strict";
import { make, optimalReturn, type EnumerableEnv } from "turnwise";
import { randomReturn } from "turnwise/exact";
import { toolChain } from "turnwise/internal/env/index";
import { expectGolden, transcript } from "./transcript";

const [UM, SEARCH, LOOKUP, ANSWER] = [7, 4, 5, 6];

describe("ToolChain-v0", () => {
  const env = make("ToolChain-v0") as EnumerableEnv;
  const starts = env.start();
  const parts = starts.map(({ state }) => {
    const { prompt } = state as { prompt: number };
    return { q: prompt % 4, k: Math.floor(prompt / 4) % 4, v: Math.floor(prompt / 16) % 4 };
  });

  it("search, look up, answer is paid 1, from every training prompt", () => {
    assert.equal(starts.length, 32);
    starts.forEach(({ state, observation }, i) => {
      const { q, k, v } = parts[i]!;
      assert.equal(observation.text, `question: ${q}`);
      const searched = env.transition(state, [UM, SEARCH, q])[0]!;
      assert.equal(searched.observation.text, `result: the key is ${k}`);
      const found = env.transition(searched.state, [UM, LOOKUP, k])[0]!;
      assert.equal(found.observation.text, `result: the value is ${v}`);
      const answered = env.transition(found.state, [UM, ANSWER, v])[0]!;
      assert.deepEqual([answered.reward, answered.terminated], [1, true]);
    });
  });

  it("LOOKUP of the right key before any search restates the question", () => {
    const { q, k } = parts[0]!;
    const early = env.transition(starts[0]!.state, [UM, LOOKUP, k])[0]!;
    assert.equal(early.observation.text, `error: no result; the question is ${q}`);
    // Observation ids: 12 + q, after ten tokens.
    assert.deepEqual(early.observation.tokens, [10 + 12 + q]);
  });

  it("the random agent gets .03439, the best 1", () => {
    // Every turn: right answer .01, any answer .1. J = .01 (1 + .9 + .81 + .729) = .03439.
    assert.ok(Math.abs(randomReturn(env) - 0.03439) < 1e-15);
    assert.ok(Math.abs(optimalReturn(env).J - 1) < 1e-12);
  });

  it("a blind answer is right 13 times in 32 at best, counted from the prompts", () => {
    let right = 0;
    for (let q = 0; q < 4; q++) {
      const count = [0, 0, 0, 0];
      for (const part of parts) if (part.q === q) count[part.v]!++;
      right += Math.max(...count);
    }
    assert.equal(right, 13);
    assert.ok(Math.abs(optimalReturn(make("ToolChain-v0", { maxTurns: 1 })).J - 13 / 32) < 1e-12);
  });

  it("with a turn cost the optimum is that of an independent recursion over (question, key) counts", () => {
    for (const turnCost of [0.01, 0.05, 0.3]) {
      // After q: answer now, or search; after q, k: answer now, or look up and answer.
      const best = (group: typeof parts): number => {
        const count = [0, 0, 0, 0];
        for (const { v } of group) count[v]!++;
        return Math.max(...count);
      };
      let expected = 0;
      for (let q = 0; q < 4; q++) {
        const group = parts.filter((part) => part.q === q);
        let searched = -turnCost * group.length;
        for (let k = 0; k < 4; k++) {
          const known = group.filter((part) => part.k === k);
          searched += Math.max(best(known) - turnCost * known.length, known.length * (1 - 2 * turnCost));
        }
        expected += Math.max(best(group) - turnCost * group.length, searched);
      }
      const { J } = optimalReturn(make("ToolChain-v0", { turnCost }));
      assert.ok(Math.abs(J - expected / 32) < 1e-12, `${turnCost}: ${J} and ${expected / 32}`);
    }
  });

  it("train and held-out prompts part the 64", () => {
    const ids = (prompts: "train" | "heldOut" | "all"): (string | undefined)[] =>
      toolChain({ prompts })
        .start()
        .map(({ taskId }) => taskId);
    assert.deepEqual([...ids("train"), ...ids("heldOut")].sort(), ids("all").sort());
    assert.throws(() => make("ToolChain-v0", { prompts: "some" }), {
      message: 'Cannot make ToolChain-v0: prompts must be "train" or "heldOut" or "all", got "some".',
    });
  });

  it("verifier flips and reward noise keep the expected reward of a right answer where arithmetic puts it", () => {
    const { v } = parts[0]!;
    const paid = (options: Record<string, number>): number[][] =>
      (make("ToolChain-v0", options) as EnumerableEnv)
        .transition(starts[0]!.state, [UM, ANSWER, v])
        .map(({ probability, reward }) => [probability, reward]);
    assert.deepEqual(paid({ verifierFlip: 0.02 }), [
      [0.98, 1],
      [0.02, 0],
    ]);
    assert.deepEqual(paid({ rewardNoise: 0.1 }), [
      [0.5, 1.1],
      [0.5, 0.9],
    ]);
  });

  it("100,000 random turns: no crash, and the prompt stays as it was", () => {
    let state = (env.reset({ seed: 0 }), starts[5]!.state as { prompt: number; turn: number });
    for (let i = 0; i < 100000; i++) {
      const action = [i % 10, Math.floor(i / 10) % 10, Math.floor(i / 100) % 10];
      const [outcome] = env.transition(state, action);
      assert.equal((outcome!.state as typeof state).prompt, state.prompt);
      state = (outcome!.terminated ? starts[i % 32]!.state : outcome!.state) as typeof state;
    }
  });

  it("plays as its golden transcript says", () => {
    const optimum = optimalReturn(env);
    expectGolden(
      "ToolChain-v0",
      transcript(env, "the optimal agent", 7, (seen) => optimum.act(seen)),
    );
  });
});
