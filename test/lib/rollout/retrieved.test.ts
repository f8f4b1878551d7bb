// Uses internals of turnwise/env.
import assert from "node:assert/strict";
import {
  checkEnv,
  collect,
  createPolicy,
  createRng,
  make,
  recipe,
  surrogateGradient,
  advantages,
  train,
  type Batch,
  type Policy,
} from "turnwise";
import { longPages, sharedVocabulary } from "turnwise/internal/env/index";
import { withRetrieved } from "turnwise/internal/rollout/index";

const world = (words = 0): ReturnType<typeof make> => {
  const env = make("LookUp-v0");
  return sharedVocabulary(words === 0 ? env : longPages(env, { words }));
};
const policyOf = (env: ReturnType<typeof make>, window = 24): Policy =>
  createPolicy(env.spec, { kind: "mlp", width: 8, window, seed: 1 });
const sampled = (env: ReturnType<typeof make>, policy: Policy): Batch =>
  collect(env, policy, { groups: 4, groupSize: 4, rng: createRng(7) });

describe("sharedVocabulary", () => {
  it("lets the agent write the environment's words, as a turn that cannot be parsed", () => {
    const env = world();
    checkEnv(env);
    assert.deepEqual(env.spec.observationVocabulary, []);
    env.reset({ seed: 0 });
    const fact = env.spec.vocabulary.indexOf("fact=2");
    const [observation, reward, terminated, , info] = env.step([fact, fact]);
    assert.match(observation.text, /^error: /);
    assert.deepEqual([reward, terminated, info["forged"], info["call"]], [0, false, true, "malformed"]);
  });

  it("refuses a world in which every turn can be parsed", () => {
    assert.throws(() => sharedVocabulary(make("KeyDoor-v0")), {
      name: "RangeError",
      message:
        "Cannot share the vocabulary of KeyDoor-v0: there must be a malformed turn that stands for what it cannot parse.",
    });
  });
});

describe("longPages", () => {
  it("adds words behind every answer, the same for the same seed and member, and others for another", () => {
    const env = longPages(make("LookUp-v0"), { words: 5 });
    const play = (member: number): number[] => {
      env.reset({ seed: 3, member });
      return [...env.step([1, 2])[0].tokens];
    };
    const V = env.spec.vocabulary.length;
    assert.equal(play(0).length, 6);
    assert.deepEqual(play(0), play(0));
    assert.notDeepEqual(play(0).slice(1), play(1).slice(1));
    assert.ok(play(0).every((token) => token >= V && token < V + env.spec.observationVocabulary.length));
  });

  it("refuses a number of words that is not whole", () => {
    assert.throws(() => longPages(make("LookUp-v0"), { words: -1 }), {
      message: "Cannot make long pages: words must be an integer >= 0, got -1.",
    });
  });
});

describe("withRetrieved", () => {
  const env = world(3);
  const policy = policyOf(env);
  // Made-up returns, so that there is something to learn.
  const batch = { ...sampled(env, policy), return_n: Float64Array.from({ length: 16 }, (_, n) => n % 3) };
  const all = withRetrieved(batch, policy, env.spec.vocabulary.length);
  const [N, T, L] = all.shape;
  const ofWriter = (who: string): number[] =>
    Array.from({ length: N * T * L }, (_, i) => i).filter(
      (i) =>
        all.mask_ntl[i] === 1 && all.agentId_nt![Math.floor(i / (T * L))]![Math.floor(i / L) % T] === who,
    );

  it("keeps the agent's tokens with their log-probs, and puts the answers between them", () => {
    const before = [...batch.mask_ntl.keys()].filter((i) => batch.mask_ntl[i] === 1);
    assert.deepEqual(
      ofWriter("agent").map((i) => [all.token_ntl[i], all.oldLogProb_ntl[i]]),
      before.map((i) => [batch.token_ntl[i], batch.oldLogProb_ntl[i]]),
    );
    // One answer of 1 + 3 tokens in every episode of two turns, an error of 1 + 3 likewise: two turns of two tokens.
    const long = batch.turnCount_n.filter((turns) => turns === 2).length;
    assert.ok(long > 0);
    assert.equal(ofWriter("environment").length, 4 * long);
    assert.deepEqual([...all.return_n], [...batch.return_n]);
  });

  it("has the old log-probs of the policy now, so that every ratio begins at 1", () => {
    const { logProb_ntl } = policy.evaluate(all);
    for (const i of ofWriter("environment")) assert.equal(all.oldLogProb_ntl[i], logProb_ntl[i]);
    for (const i of ofWriter("agent")) assert.ok(Math.abs(all.oldLogProb_ntl[i]! - logProb_ntl[i]!) < 1e-12);
  });

  it("with the answers masked again has the gradient of the batch itself", () => {
    const row = recipe("grpo", { aggregate: { kind: "constant", length: 1 } });
    const gradientOf = (own: Batch): Float64Array => {
      const input = {
        shape: own.shape,
        logProb_ntl: own.oldLogProb_ntl,
        oldLogProb_ntl: own.oldLogProb_ntl,
        mask_ntl: own.mask_ntl,
        advantage_ntl: advantages(own, row).advantage_ntl,
      };
      return policy.backward(own, { dLogProb_ntl: surrogateGradient(input, row).dLogProb_ntl });
    };
    const mask_ntl = all.mask_ntl.slice();
    for (const i of ofWriter("environment")) mask_ntl[i] = 0;
    const masked = gradientOf({ ...all, mask_ntl });
    gradientOf(batch).forEach((x, i) => assert.ok(Math.abs(x - masked[i]!) < 1e-12));
    assert.ok(gradientOf(all).some((x, i) => Math.abs(x - masked[i]!) > 1e-6));
  });

  it("refuses tables, windows that are too small, and vocabularies that lack the environment's words", () => {
    const table = createPolicy(env.spec, { kind: "tabular" });
    assert.throws(() => withRetrieved(sampled(env, table), table, 99), {
      name: "TypeError",
      message:
        /^Cannot train on retrieved tokens: the policy's context must be the tokens so far, as in an mlp/,
    });
    const short = policyOf(env, 6);
    assert.throws(() => withRetrieved(sampled(env, short), short, 99), {
      name: "RangeError",
      message: /window must hold an entire episode, but turn 1 of .* has lost its beginning/,
    });
    assert.throws(() => withRetrieved(batch, policy, 6), {
      message: /policy must be able to write them, but token \d+ is outside its vocabulary of 6/,
    });
  });
});

describe("train with retrieved tokens", () => {
  it("refuses rules that look at turns, and unknown words", () => {
    const options = { env: world(), policy: { kind: "mlp", width: 8 }, updates: 1 } as const;
    assert.throws(() => train({ ...options, recipe: "seeUpo", observationTokens: "trained" }), {
      name: "RangeError",
      message:
        "Cannot train on retrieved tokens: the rule must credit whole trajectories and update all turns at once, got advantage mean and order reverse.",
    });
    assert.throws(() => train({ ...options, recipe: "grpo", observationTokens: "some" as "masked" }), {
      message: 'Cannot train: observationTokens must be "masked" or "trained", got "some".',
    });
  });

  it("goes on from a checkpoint as if it had not stopped", async () => {
    const options = () =>
      ({
        env: world(),
        policy: { kind: "mlp", width: 8, window: 24 },
        recipe: "grpo",
        seed: 2,
        observationTokens: "trained",
      }) as const;
    const whole = train({ ...options(), updates: 4 });
    for await (const _ of whole);
    const half = train({ ...options(), updates: 2 });
    for await (const _ of half);
    const env = world();
    const policy = policyOf(env);
    const rest = train({ env, policy, updates: 4, resume: half.checkpoint() });
    for await (const _ of rest);
    assert.deepEqual([...rest.policy.parameters], [...whole.policy.parameters]);
    const masked = train({ ...options(), observationTokens: "masked", updates: 4 });
    for await (const _ of masked);
    assert.notDeepEqual([...masked.policy.parameters], [...whole.policy.parameters]);
  });
});
