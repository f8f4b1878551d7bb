// Uses internals of turnwise/rule, turnwise/rollout.
import assert from "node:assert/strict";
import {
  advantages,
  collect,
  createPolicy,
  createRng,
  make,
  recipe,
  sharedVocabulary,
  surrogateGradient,
  train,
  type Batch,
  type Env,
  type Policy,
  type Recipe,
} from "turnwise";
import { observationCharge } from "turnwise/internal/rule/regularizer/observation";
import { answersOf } from "turnwise/internal/rollout/index";
import { agree } from "./plainAgreement";

const world = (): Env => sharedVocabulary(make("LookUp-v0"));
const network = { kind: "mlp", width: 8, window: 12 } as const;
const sampled = (env: Env, policy: Policy): Batch =>
  collect(env, policy, { groups: 6, groupSize: 6, rng: createRng(3) });
const without = { regularizer: { observationCoef: 0 } } as const;

async function trained(rule: Recipe, policy: Policy, env: Env, updates = 3): Promise<Float64Array> {
  const run = train({ env, policy, recipe: rule, updates, seed: 4 });
  for await (const _ of run);
  return policy.parameters.slice();
}

describe("the charge for what the environment answers", () => {
  it("is the mean over its own tokens, whatever the number of others", () => {
    // Three tokens of log-prob -1, -2 and -3, one cell masked: cross-entropy 6 / 3 = 2, at weight .1 a loss of .2 and a slope of
    // -.1 / 3 each. prime-rl: nll * ce_weight, summed (loss.py:252-255), over ce_scale = 3 tokens (loss.py:394): .1 * 6 / 3.
    const charge = observationCharge(0.1, [1, 1, 0, 1], [-1, -2, -50, -3])!;
    assert.ok(Math.abs(charge.crossEntropy - 2) < 1e-12);
    assert.ok(Math.abs(charge.loss - 0.2) < 1e-12);
    assert.deepEqual([...charge.dLogProb_ntl].map(Math.abs), [0.1 / 3, 0.1 / 3, 0, 0.1 / 3]);
    assert.ok(charge.dLogProb_ntl[0]! < 0);
    assert.equal(observationCharge(0.1, [0, 0], [-1, -1]), undefined);
  });

  it("takes each answer after all that came before it, and no turn, question or last observation", () => {
    const env = world();
    const policy = createPolicy(env.spec, network);
    const batch = sampled(env, policy);
    const answers = answersOf(batch, env.spec.vocabulary.length)!;
    const [N, T, L] = answers.shape;
    assert.equal(N, batch.shape[0]);
    assert.equal(T, 1); // LookUp-v0 answers once, between its two turns
    const word = (token: number): string => env.spec.vocabulary[token]!;
    let seen = 0;
    for (let n = 0; n < N; n++) {
      assert.equal(answers.turnCount_n[n], batch.turnCount_n[n]! - 1);
      if (answers.turnCount_n[n] === 0) continue;
      seen++;
      assert.deepEqual([...answers.mask_ntl.subarray(n * L, (n + 1) * L)], [1, 0]);
      assert.match(word(answers.token_ntl[n * L]!), /^(fact=\d|error)$/);
      // Start, question and the two tokens of the first turn.
      assert.deepEqual(answers.context_nt[n]![0], [
        ...(batch.context_nt[n]![0] as number[]),
        ...batch.token_ntl.subarray(n * 2 * L, n * 2 * L + 2),
      ]);
    }
    assert.ok(seen > 0);
    assert.equal(
      answersOf({ ...batch, context_nt: batch.context_nt.map((own) => own.map(String)) }, 13),
      undefined,
    );
  });

  it("is refused where the policy cannot write the answers, and where turns are updated one by one", () => {
    const env = make("LookUp-v0");
    const run = train({ env, policy: network, recipe: "echo", updates: 1, seed: 1 });
    return assert
      .rejects(
        async () => {
          for await (const _ of run);
        },
        {
          name: "RangeError",
          message:
            /^Cannot learn to predict the environment's answers: the policy must be able to write them, but token \d+ is outside its vocabulary of 6/,
        },
      )
      .then(() => {
        assert.throws(() => recipe("seeUpo", { regularizer: { observationCoef: 0.1 } }), {
          name: "RangeError",
          message:
            'Cannot make recipe seeUpo: regularizer.observationCoef must be 0 with order.kind "reverse", which updates turns one by one, got 0.1.',
        });
        assert.throws(
          () =>
            train({
              env: world(),
              policy: network,
              recipe: "echo",
              observationTokens: "trained",
              updates: 1,
            }),
          /regularizer.observationCoef must be 0 where they have the advantage of the trajectory, got 0.1/,
        );
      });
  });
});

describe("ECHO", () => {
  it("agrees with the plain trainer, in networks of all three kinds", async () => {
    for (const kind of ["mlp", "gru", "transformer"] as const) {
      const policy = { ...network, kind };
      await agree(recipe("echo"), { env: world(), policy, updates: 3, groups: 4, groupSize: 4 });
    }
    const heavy = recipe("echo", { regularizer: { observationCoef: 2 }, update: { minibatches: 3 } });
    await agree(heavy, { env: world(), policy: network, updates: 2, groups: 3, groupSize: 4 });
  });

  it("with weight 0 is GRPO without a deviation, with the mean over tokens, bit for bit", async () => {
    const env = world();
    const own = await trained(recipe("echo", without), createPolicy(env.spec, network), env);
    const grpo = recipe("grpo", { scale: "none", aggregate: "tokenMean" });
    const other = await trained(grpo, createPolicy(env.spec, network), env);
    assert.deepEqual(own, other);
    const charged = await trained(recipe("echo"), createPolicy(env.spec, network), env);
    assert.notDeepEqual(own, charged);
  });

  it("predicts the answers of its own actions better than without the charge", async () => {
    const env = world();
    const crossEntropy = async (coef: number): Promise<number> => {
      const rule = recipe("echo", { regularizer: { observationCoef: coef } });
      let last = NaN;
      for await (const { metrics } of train({ env, policy: network, recipe: rule, updates: 40, seed: 1 }))
        last = metrics["policy/answerCrossEntropy"] ?? last;
      return last;
    };
    const weak = await crossEntropy(1e-9);
    const strong = await crossEntropy(1);
    // log 13 = 2.56 nats at the start; whoever knows that most first turns are malformed needs few.
    assert.ok(strong < weak - 0.5, `${strong} against ${weak}`);
  });

  it("goes on from a checkpoint as if it had not stopped", async () => {
    const options = { env: world(), policy: network, recipe: "echo", seed: 2 } as const;
    const whole = train({ ...options, updates: 4 });
    for await (const _ of whole);
    const half = train({ ...options, updates: 2 });
    for await (const _ of half);
    const env = world();
    const rest = train({
      env,
      policy: createPolicy(env.spec, network),
      updates: 4,
      resume: half.checkpoint(),
    });
    for await (const _ of rest);
    assert.deepEqual([...rest.policy.parameters], [...whole.policy.parameters]);
  });
});

describe("ECHO in a table", () => {
  /** The batch of a network as a table would read it: each context a text, with a row of its own. */
  const asTexts = (batch: Batch): Batch => ({
    ...batch,
    context_nt: batch.context_nt.map((own) => own.map((context) => (context as number[]).join(" "))),
  });

  it("has answers in rows that no turn reads, so that their gradient is 0 wherever that of the turns is not", () => {
    const env = world();
    const batch = sampled(env, createPolicy(env.spec, network));
    const answers = asTexts(answersOf(batch, env.spec.vocabulary.length)!);
    const turns = asTexts(batch);
    const table = createPolicy(env.spec, { initialScale: 0.5 });
    const { logProb_ntl } = table.evaluate(turns);
    // Both meet their rows before either gradient is taken: the table has its full size.
    const said = table.evaluate(answers).logProb_ntl;
    const rule = recipe("echo", without);
    // Made-up returns, so that there is something to learn.
    const paid = { ...turns, return_n: Float64Array.from(turns.return_n, (_, n) => n % 3) };
    const input = {
      ...paid,
      logProb_ntl,
      oldLogProb_ntl: logProb_ntl,
      advantage_ntl: advantages(paid, rule).advantage_ntl,
    };
    const policyPart = table.backward(paid, surrogateGradient(input, rule)).slice();
    const charge = observationCharge(0.1, answers.mask_ntl, said)!;
    const answerPart = table.backward(answers, { dLogProb_ntl: charge.dLogProb_ntl }).slice();
    const moved = (part: Float64Array): number[] => [...part.keys()].filter((j) => part[j] !== 0);
    assert.ok(moved(policyPart).length > 10 && moved(answerPart).length > 10);
    const both = new Set(moved(policyPart));
    assert.deepEqual(
      moved(answerPart).filter((j) => both.has(j)),
      [],
    );
    // In a network, the two share their weights.
    const shared = createPolicy(env.spec, network);
    const ofTurns = shared.backward(batch, surrogateGradient(input, rule)).slice();
    const ofAnswers = shared.backward(answersOf(batch, 13)!, { dLogProb_ntl: charge.dLogProb_ntl }).slice();
    assert.ok(ofTurns.filter((x, j) => x !== 0 && ofAnswers[j] !== 0).length > 100);
  });

  it("is left out there: the run is that without the charge, bit for bit", async () => {
    const env = make("LookUp-v0");
    const own = await trained(recipe("echo"), createPolicy(env.spec), env);
    const other = await trained(recipe("echo", without), createPolicy(env.spec), env);
    assert.deepEqual(own, other);
  });
});
