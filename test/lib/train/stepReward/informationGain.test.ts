// Uses internals of turnwise/rule.
import assert from "node:assert/strict";
import { advantages, collect, createPolicy, createRng, make, recipe, scriptedBatch, train } from "turnwise";
import type { Policy } from "turnwise";
import { stepOf, stepRewards } from "turnwise/internal/rule/reward/step/index";
import {
  answerProbability,
  evidence,
  informationGain,
} from "turnwise/internal/train/stepReward/informationGain";
import { assertClose } from "../../rule/support";

/** A policy that finds the words of an answer as likely as the table says, by context. */
const believing = (table: Readonly<Record<string, readonly number[]>>): Policy =>
  ({
    nextTokenLogProb: (context: unknown, prefix: readonly number[]) =>
      new Float64Array(12).fill(Math.log(table[String(context)]![prefix.length - 1]!)),
  }) as unknown as Policy;

/** Rows of contexts, one for each turn. */
const played = (contexts: readonly (readonly string[])[], answer: readonly number[]) => {
  const T = Math.max(...contexts.map(({ length }) => length));
  return {
    ...scriptedBatch(
      make("LookUp-v0"),
      contexts.map(() => [["ANSWER", "0"]]),
    ),
    shape: [contexts.length, T, 2] as const,
    turnCount_n: Int32Array.from(contexts, ({ length }) => length),
    context_nt: contexts,
    info_nt: contexts.map((turns) => turns.map(() => ({ gold: { before: [9], answer } }))),
  };
};

describe("informationGain", () => {
  it("pays each turn but the last what it adds to the belief in the answer", () => {
    // p is .25 before the first turn, .5 before the second, .4 before the third: the gains are .25 and -.1.
    const policy = believing({ a: [0.25], b: [0.5], c: [0.4] });
    const { step_nt, metrics } = informationGain(played([["a", "b", "c"], ["b"]], [1]), policy, 1);
    assertClose(step_nt, [0.25, -0.1, 0, 0, 0, 0], 1e-12);
    // (.25 - .1) / 2; two of four turns; four evaluations in two trajectories
    assertClose([metrics["stepReward/mean"]!], [0.075], 1e-12);
    assert.equal(metrics["stepReward/fracJudged"], 0.5);
    assert.equal(metrics["stepReward/evaluations"], 2);
    assertClose(informationGain(played([["a", "b"]], [1]), policy, 3).step_nt, [0.75, 0], 1e-12, "weight 3");
  });

  it("takes the geometric mean over the tokens of an answer, each after those before it", () => {
    // exp((log .5 + log .125) / 2) = sqrt(.0625) = .25
    const p = answerProbability(believing({ a: [0.5, 0.125] }), "a", { before: [9], answer: [1, 2] });
    assertClose([p], [0.25], 1e-12);
  });

  for (const env of ["SearchQa-v0", "Calculator-v0", "LookUp-v0"]) {
    it(`telescopes in ${env}: the gains sum to the belief before the last turn minus that at the start`, () => {
      const world = make(env);
      const policy = createPolicy(world.spec, { initialScale: 1, seed: 3 });
      const batch = collect(world, policy, { groups: 6, groupSize: 4, rng: createRng(5) });
      const { step_nt } = informationGain(batch, policy, 1);
      const [N, T] = batch.shape;
      let longer = 0;
      for (let n = 0; n < N; n++) {
        const { gold } = batch.info_nt![n]![0]! as { gold: Parameters<typeof answerProbability>[2] };
        const p = batch.context_nt[n]!.map((context) => answerProbability(policy, context, gold));
        const sum = step_nt.subarray(n * T, (n + 1) * T).reduce((a, b) => a + b, 0);
        assertClose([sum], [p.at(-1)! - p[0]!], 1e-12);
        if (p.length > 1 && Math.abs(sum) > 1e-6) longer++;
      }
      assert.ok(longer > 0, "some trajectory gains");
    });
  }

  it("knows the answer that the world's own verifier accepts", () => {
    for (const id of ["SearchQa-v0", "LookUp-v0", "Calculator-v0"]) {
      const env = make(id);
      for (let seed = 0; seed < 8; seed++) {
        env.reset({ seed });
        const [, , , , first] = env.step(env.actionSpace.sample(createRng(seed)));
        const { gold } = first as { gold: { before: number[]; answer: number[] } };
        const { maxTokens, endToken } = env.spec;
        const turn = [...gold.before, ...gold.answer];
        if (turn.length < maxTokens) turn.push(endToken!);
        env.reset({ seed });
        const [, , terminated, , { success }] = env.step(turn);
        assert.deepEqual([id, terminated, success], [id, true, true]);
      }
    }
  });

  it("says in the metrics that a world without answers gives it nothing to judge by", async () => {
    const run = train({ env: "Tiger-v0", recipe: "igpo", updates: 1, seed: 1 });
    const { metrics } = (await run.next()).value!;
    assert.equal(metrics["stepReward/fracJudged"], 0);
    assert.equal(metrics["stepReward/mean"], undefined);
  });
});

describe("evidence", () => {
  it("is the gain in nats: the mean log-prob of the answer's tokens after a turn less that before it", () => {
    // Log-probs of the answer: (log .5 + log .125) / 2 = log .25, then (log 1 + log .25) / 2 = log .5, then log .125.
    const policy = believing({ a: [0.5, 0.125], b: [1, 0.25], c: [0.125, 0.125] });
    const { step_nt, metrics } = evidence(played([["a", "b", "c"], ["c"]], [1, 2]), policy);
    assertClose(step_nt, [Math.log(2), -Math.log(4), 0, 0, 0, 0], 1e-12);
    assert.equal(metrics["stepReward/fracJudged"], 0.5);
  });

  it("is not paid: only the advantage reads it", () => {
    const batch = scriptedBatch(make("LookUp-v0"), [[["ANSWER", "0"]], [["ANSWER", "3"]]]);
    const row = recipe("grpo", { reward: { step: "evidence" } });
    const step_nt = Float64Array.from([7, -7]);
    assert.deepEqual(
      advantages({ ...batch, step_nt }, row).advantage_ntl,
      advantages(batch, recipe("grpo")).advantage_ntl,
    );
  });
});

describe("the cell reward.step", () => {
  it("adds to the turn that earned it, before any advantage", () => {
    const env = make("LookUp-v0");
    const batch = scriptedBatch(env, [
      [["ANSWER", "0"]],
      [
        ["LOOKUP", "0"],
        ["ANSWER", "3"],
      ],
    ]);
    const step_nt = Float64Array.from([0, 0, 0.75, 0]);
    // Returns -1/3 and 1. First turn: to go -1/3 and 1.75, mean 17/24; second: 0, as it has ended, and 1, mean 1/2.
    const { advantage_ntl } = advantages({ ...batch, step_nt }, recipe("igpo"));
    const high = 1.75 - 17 / 24;
    assertClose(advantage_ntl, [-high, -high, 0, 0, high, high, 0.5, 0.5], 1e-12);
    const plain = advantages(batch, recipe("igpo", { reward: { step: "none" } })).advantage_ntl;
    assertClose(plain, [-2 / 3, -2 / 3, 0, 0, 2 / 3, 2 / 3, 0.5, 0.5], 1e-12);
  });

  it("is none for a row of an earlier version, and refuses what has no such name", () => {
    assert.equal(stepOf(undefined), stepRewards.none);
    assert.throws(() => stepOf({ kind: "informationGian" } as never), {
      name: "RangeError",
      message:
        `Cannot apply a recipe: reward.step must be one of ${Object.keys(stepRewards).join(", ")}, ` +
        'got "informationGian".\nDid you mean "informationGain"?',
    });
  });

  it("has for every value a sentence, an equation and a source that a reader can open", () => {
    for (const [kind, { help, equation, source }] of Object.entries(stepRewards)) {
      assert.match(help, /^[A-Z][^.]{8,}\.$/, kind);
      assert.notEqual(equation, "", kind);
      assert.match(source, /arXiv \d{4}\.\d{5}/, kind);
    }
  });
});
