// Uses internals of turnwise/card, turnwise/train.
import assert from "node:assert/strict";
import {
  advantages,
  collect,
  createPolicy,
  createRng,
  LogLinearPolicy,
  make,
  recipe,
  scriptedBatch,
  surrogateGradient,
  train,
  type Batch,
  type Policy,
} from "turnwise";
import { optimalPolicy } from "turnwise/exact";
import { trajectoriesOf } from "turnwise/internal/card/trajectories";
import { afterDemonstration } from "turnwise/internal/train/distil/shown";
import { agree } from "./plainAgreement";

const env = make("LookUp-v0", { facts: 2 });
const V = env.spec.vocabulary.length;
const network = { kind: "mlp", width: 8, window: 20 } as const;
const demonstrator = optimalPolicy(env);
const rollout = createRng(5);
const sampled = (policy: Policy): Batch => collect(env, policy, { groups: 3, groupSize: 4, rng: rollout });
const read = (policy: Policy, batch = sampled(policy)): Batch =>
  afterDemonstration(batch, { env, policy, demonstrator, rollout });

describe("a policy that has read a demonstration", () => {
  // Words: ANSWER 0, LOOKUP 1, "0" 2, "1" 3, question 4, fact=0 5, fact=1 6, error 7, done 8; 9 starts an episode. The optimum
  // looks up, with the first of the words that LOOKUP ignores, and answers what it saw: question LOOKUP ANSWER fact=f ANSWER f.
  const transcript = (fact: number): number[] => [4, 1, 0, 5 + fact, 0, 2 + fact];

  it("sees the expert's episode from the same start before its own", () => {
    const policy = createPolicy(env.spec, network);
    const batch = sampled(policy);
    const shown = read(policy, batch);
    assert.ok(new Set(batch.groupId.map((id) => id.split(":")[1])).size > 1);
    batch.context_nt.forEach((own, n) => {
      const fact = Number(batch.groupId[n]!.slice(-1));
      own.forEach((context, t) => {
        assert.deepEqual(shown.context_nt[n]![t], [
          9,
          ...transcript(fact),
          ...(context as number[]).slice(1),
        ]);
      });
    });
    assert.deepEqual(shown.token_ntl, batch.token_ntl);
  });

  it("stands on a row of its own in a table", () => {
    const policy = createPolicy(env.spec);
    const batch = sampled(policy);
    const shown = read(policy, batch);
    batch.context_nt.forEach((own, n) => {
      const fact = Number(batch.groupId[n]!.slice(-1));
      assert.equal(shown.context_nt[n]![0], `4>1,0;${5 + fact}>0,${2 + fact}|4`);
      own.forEach((context, t) => assert.notEqual(shown.context_nt[n]![t], context));
    });
  });

  it("must have room for both, and read tokens or texts", () => {
    const short = createPolicy(env.spec, { ...network, window: 9 });
    assert.throws(() => read(short), {
      name: "RangeError",
      message:
        "Cannot read a demonstration: the policy's window must hold it and the episode, 11 tokens before the turn, but it keeps 8.",
    });
  });

  it("cannot be one whose context is a number", () => {
    const policy = new LogLinearPolicy(env.spec);
    assert.throws(() => read(policy), {
      name: "TypeError",
      message: /^Cannot read a demonstration: the policy's context must be the tokens so far, as in an mlp/,
    });
  });
});

/** Every trajectory, and its probability under the policy. */
function everything(policy: Policy) {
  const all = trajectoriesOf(env, policy);
  const [, T, L] = all.batch.shape;
  const old = policy.evaluate(all.batch).logProb_ntl.slice();
  const weight_n = all.chance_n.map((chance, n) => {
    let sum = 0;
    for (let i = n * T * L; i < (n + 1) * T * L; i++) if (all.batch.mask_ntl[i] === 1) sum += old[i]!;
    return chance * Math.exp(sum);
  });
  return { batch: all.batch, task_n: all.task_n, old, weight_n, width: T * L };
}

/** The mean step of the rule on a policy's own trajectories, given what the teacher says of each token. */
function meanGradient(policy: Policy, teacher_ntl: Float64Array): Float64Array {
  const { batch, old, weight_n, width } = everything(policy);
  const rule = recipe("opsd");
  const { advantage_ntl } = advantages(batch, rule, undefined, teacher_ntl);
  const { dLogProb_ntl } = surrogateGradient(
    {
      ...batch,
      logProb_ntl: old,
      oldLogProb_ntl: old,
      advantage_ntl,
      weight_ntl: Float64Array.from(batch.mask_ntl, (_, i) => weight_n[Math.floor(i / width)]!),
    },
    rule,
  );
  return policy.backward(batch, { dLogProb_ntl }).slice();
}

/** Central differences of a function in the given parameters. */
function slopes(policy: Policy, of: () => number, places: readonly number[]): number[] {
  const h = 1e-5;
  return places.map((j) => {
    const at = policy.parameters[j]!;
    policy.parameters[j] = at + h;
    const above = of();
    policy.parameters[j] = at - h;
    const below = of();
    policy.parameters[j] = at;
    return (above - below) / (2 * h);
  });
}

/** Sum over the tokens of the start's states of a function of each distribution, weighed by how often they come. */
function overStates(policy: Policy, f: (logProb: Float64Array, i: number) => number): () => number {
  const { batch, weight_n, width } = everything(policy);
  return () => {
    const { logProb_ntlv } = policy.evaluate(batch, undefined, undefined, undefined, { distributions: true });
    let sum = 0;
    batch.mask_ntl.forEach((mask, i) => {
      if (mask === 1)
        sum += weight_n[Math.floor(i / width)]! * f(logProb_ntlv!.subarray(i * V, (i + 1) * V), i);
    });
    return sum;
  };
}

/** Compares a gradient with central differences, in the fifty parameters where it is largest. */
function assertAlike(policy: Policy, gradient: Float64Array, of: () => number): void {
  const size = (j: number): number => Math.abs(gradient[j]!);
  const places = [...gradient.keys()].sort((a, b) => size(b) - size(a)).slice(0, 50);
  assert.ok(size(places.at(-1)!) > 1e-4);
  slopes(policy, of, places).forEach((slope, k) => {
    const j = places[k]!;
    assert.ok(Math.abs(gradient[j]! - slope) < 1e-7, `parameter ${j}: ${gradient[j]}, ${slope}`);
  });
}

describe("OPSD", () => {
  it("pays a token for how much likelier the policy finds it after the demonstration", () => {
    // Old log-prob -log 6 of every token; after the demonstration .5, .25, .5 and .125.
    const world = make("LookUp-v0");
    const batch = scriptedBatch(world, [
      [
        ["LOOKUP", "0"],
        ["ANSWER", "3"],
      ],
    ]);
    const after = Float64Array.from([0.5, 0.25, 0.5, 0.125], Math.log);
    const { advantage_ntl } = advantages(batch, recipe("opsd"), undefined, after);
    // log .5 - log 1/6 = log 3, log 1.5, log 3, log .75: nothing for the task, and none for later tokens.
    [3, 1.5, 3, 0.75].forEach((x, i) => assert.ok(Math.abs(advantage_ntl[i]! - Math.log(x)) < 1e-12));
    // The loss is prime-rl's at its first step: -sum of A r over the number of tokens (loss.py:227, loss.py:394).
    const input = { ...batch, logProb_ntl: batch.oldLogProb_ntl, advantage_ntl };
    const { loss } = surrogateGradient(input, recipe("opsd"));
    assert.ok(Math.abs(loss + Math.log(3 * 1.5 * 3 * 0.75) / 4) < 1e-12);
  });

  it("has the gradient of -KL to the policy after the demonstration, which stands still", () => {
    const policy = createPolicy(env.spec, { ...network, seed: 3 });
    const { batch, task_n } = everything(policy);
    const shown = {
      ...batch,
      context_nt: batch.context_nt.map((own, n) =>
        own.map((context) => [
          9,
          4,
          1,
          0,
          5 + task_n[n]!,
          0,
          2 + task_n[n]!,
          ...(context as number[]).slice(1),
        ]),
      ),
    };
    const nu = policy.evaluate(shown, undefined, undefined, undefined, { distributions: true });
    const held = nu.logProb_ntlv!.slice();
    const divergence = overStates(policy, (x, i) =>
      x.reduce((sum, log, v) => sum + Math.exp(log) * (log - held[i * V + v]!), 0),
    );
    assertAlike(policy, meanGradient(policy, nu.logProb_ntl.slice()), divergence);
  });

  it("is the gradient of the entropy in a table that began uniform: what it reads has taught it nothing", () => {
    const policy = createPolicy(env.spec);
    const { batch } = everything(policy);
    const draws = createRng(2);
    // The rows that turns are played from have learned something; those after a demonstration are met only now.
    policy.parameters.forEach((_, j) => (policy.parameters[j] = draws.normal()));
    const size = policy.parameters.length;
    const shown = {
      ...batch,
      context_nt: batch.context_nt.map((own) => own.map((x) => `demonstration|${String(x)}`)),
    };
    const after = policy.evaluate(shown).logProb_ntl.slice();
    batch.mask_ntl.forEach((mask, i) => assert.ok(mask === 0 || Math.abs(after[i]! + Math.log(V)) < 1e-12));
    const negentropy = overStates(policy, (x) => x.reduce((sum, log) => sum + Math.exp(log) * log, 0));
    const gradient = meanGradient(policy, after);
    assertAlike(policy, gradient, negentropy);
    assert.ok(policy.parameters.length > size);
    assert.ok(gradient.subarray(size).every((x) => x === 0));
  });

  it("agrees with the plain trainer, in a table and in a network", async () => {
    await agree(recipe("opsd"), { updates: 4 });
    await agree(recipe("opsd"), { env: "ToolChain-v0", seed: 2, temperature: 0.8 });
    await agree(recipe("opsd"), { policy: { ...network, window: 24 }, updates: 3 });
    const long = recipe("opsd", {
      advantage: { gamma: 1 },
      reward: { environment: 1 },
      update: { epochs: 2 },
    });
    await agree(long, { policy: { ...network, kind: "gru", window: 24 }, updates: 2 });
  });

  it("goes on from a checkpoint as if it had not stopped, with the same demonstrator", async () => {
    const options = { env: "LookUp-v0", policy: network, recipe: "opsd", seed: 2 } as const;
    const whole = train({ ...options, updates: 4 });
    for await (const _ of whole);
    const half = train({ ...options, updates: 2 });
    for await (const _ of half);
    const checkpoint = JSON.parse(JSON.stringify(half.checkpoint()));
    assert.equal(checkpoint.teacher, "optimal");
    assert.equal(checkpoint.reference, null);
    const rest = train({ resume: checkpoint, policy: network, updates: 4 });
    for await (const _ of rest);
    assert.deepEqual([...rest.policy.parameters], [...whole.policy.parameters]);
  });

  it("reads what another demonstrator plays, if one is given", async () => {
    const world = make("LookUp-v0");
    const options = { env: world, policy: network, recipe: "opsd", seed: 2, updates: 2 } as const;
    const expert = train(options);
    for await (const _ of expert);
    const blind = createPolicy(world.spec, { seed: 1, initialScale: 3 });
    const other = train({ ...options, teacher: blind });
    for await (const _ of other);
    assert.notDeepEqual([...expert.policy.parameters], [...other.policy.parameters]);
  });

  it("has one reference", () => {
    assert.throws(() => recipe("opsd", { regularizer: { klReference: { coef: 0.1 } } }), {
      name: "RangeError",
      message:
        /^Cannot make recipe opsd: regularizer.klReference must be null with reward.kl.reference "shown", which reads no frozen reference, got /,
    });
  });
});
