import assert from "node:assert/strict";
import {
  collect,
  createRng,
  curriculum,
  enumerateReturn,
  LevelSampler,
  make,
  TabularPolicy,
  train,
  type Checkpoint,
  type Env,
  type TrainOptions,
  type TrainRecord,
} from "turnwise";

type Metrics = TrainRecord["metrics"];

async function metricsOf(options: TrainOptions): Promise<Metrics[]> {
  const all: Metrics[] = [];
  for await (const { metrics } of train(options)) all.push(metrics);
  return all;
}

const only = (metrics: Metrics, evaluation: boolean): Record<string, number> =>
  Object.fromEntries(Object.entries(metrics).filter(([name]) => name.startsWith("eval/") === evaluation));

/** A curriculum over two lengths of the T-maze. */
const mazes = (): { env: Env; sampler: LevelSampler } => {
  const sampler = new LevelSampler({ levels: 2 });
  return {
    env: curriculum([make("TMaze-v0", { length: 1 }), make("TMaze-v0", { length: 2 })], sampler),
    sampler,
  };
};

describe("train() with evalEvery", () => {
  const options = { env: "LookUp-v0", recipe: "grpo", updates: 6, groups: 4, groupSize: 4, seed: 3 } as const;
  const evaluated = { ...options, evalEvery: 3, evalEpisodes: 50 };

  it("adds the eval/ metrics every n updates and changes no other number", async () => {
    const all = await metricsOf(evaluated);
    assert.deepEqual(
      all.map((metrics) => Object.keys(only(metrics, true)).length),
      [0, 0, 4, 0, 0, 4],
    );
    assert.deepEqual(
      all.map((metrics) => only(metrics, false)),
      await metricsOf(options),
    );
  });

  it("is near the exact return: within four of its own standard errors", async () => {
    const evaluation = { updates: 5, evalEvery: 5, evalEpisodes: 2000 } as const;
    const run = train({ ...options, env: "KeyDoor-v0", ...evaluation });
    let last: Metrics = {};
    for await (const { metrics } of run) last = metrics;
    const { J } = enumerateReturn(run.env, run.policy, { gradient: false });
    const error = last["eval/standardError"]!;
    // Returns are 0 or 1, so that the variance is J (1 - J).
    assert.ok(Math.abs(error - Math.sqrt((J * (1 - J)) / 2000)) < 0.002, `${error} at J ${J}`);
    assert.ok(Math.abs(last["eval/return"]! - J) <= 4 * error, `${last["eval/return"]} against ${J}`);
  });

  it("greedy takes the likeliest token: an even policy takes the first one always", async () => {
    const env = make("BiArmBandit-v0", { safeReward: 0.5, riskyChance: 1 });
    const policy = new TabularPolicy(env.spec);
    const { token_ntl } = collect(env, policy, { groups: 40, groupSize: 1, rng: createRng(1), greedy: true });
    assert.deepEqual(new Set(token_ntl), new Set([0]));
    const drawn = collect(env, policy, { groups: 40, groupSize: 1, rng: createRng(1) });
    assert.deepEqual(new Set(drawn.token_ntl), new Set([0, 1]));
    const run = { env, recipe: "grpo", updates: 1, evalEvery: 1, evalEpisodes: 64, seed: 2 } as const;
    const [sampled] = await metricsOf(run);
    const [greedy] = await metricsOf({ ...run, evalGreedy: true });
    assert.notEqual(sampled!["eval/return"], greedy!["eval/return"]);
  });

  it("plays the same episodes every time: a policy that does not change gets the same return", async () => {
    const frozen = { ...evaluated, recipe: "grpo", env: "BiArmBandit-v0", evalEvery: 1 } as const;
    const policy = new TabularPolicy(make("BiArmBandit-v0").spec);
    const run = train({ ...frozen, policy, updates: 2 });
    const before = policy.parameters.slice();
    const seen: number[] = [];
    for await (const { metrics } of run) {
      seen.push(metrics["eval/return"]!);
      policy.parameters.set(before);
    }
    const again = await metricsOf({ ...frozen, updates: 1 });
    assert.equal(seen.length, 2);
    assert.equal(again[0]!["eval/return"], seen[0]);
  });

  it("goes on from a checkpoint with the same records", async () => {
    const whole = await metricsOf(evaluated);
    const first = train(evaluated);
    const got: Metrics[] = [];
    for await (const { update, metrics } of first) {
      got.push(metrics);
      if (update === 2) break;
    }
    const resume = JSON.parse(JSON.stringify(first.checkpoint())) as Checkpoint;
    assert.deepEqual([...got, ...(await metricsOf({ resume, updates: 6 }))], whole);
  });

  it("names an evaluation that would never be", () => {
    assert.throws(() => train({ ...options, evalEpisodes: 5 }), {
      name: "RangeError",
      message: "Cannot train: evalEpisodes and evalGreedy must come with evalEvery >= 1, got 0.",
    });
    assert.throws(() => train({ ...options, evalEvery: 0.5 }), {
      message: "Cannot train: evalEvery must be an integer of at least 0, got 0.5.",
    });
  });
});

describe("train() on a curriculum", () => {
  const options = {
    recipe: "rloo",
    groups: 4,
    groupSize: 4,
    seed: 1,
    evalEvery: 2,
    evalEpisodes: 20,
  } as const;

  it("lets the sampler advance after every update, by the episodes of training alone", async () => {
    const [with_, without] = [mazes(), mazes()];
    await metricsOf({ ...options, env: with_.env, updates: 4 });
    const { evalEvery: _every, evalEpisodes: _episodes, ...plain } = options;
    await metricsOf({ ...plain, env: without.env, updates: 4 });
    const { episodes, newEpisodes } = with_.sampler.state();
    // 16 episodes an update, faded by .8 each time: 16 (1 + .8 + .64 + .512) = 47.232 over both levels.
    assert.ok(Math.abs(episodes[0]! + episodes[1]! - 47.232) < 1e-9);
    assert.deepEqual(newEpisodes, [0, 0]);
    assert.deepEqual(without.sampler.state(), with_.sampler.state());
  });

  it("keeps the sampler's state in checkpoints: resumed records are those of a run that never stopped", async () => {
    const whole = await metricsOf({ ...options, env: mazes().env, updates: 6 });
    const first = train({ ...options, env: mazes().env, updates: 6 });
    const got: Metrics[] = [];
    for await (const { update, metrics } of first) {
      got.push(metrics);
      if (update === 3) break;
    }
    const resume = JSON.parse(JSON.stringify(first.checkpoint())) as Checkpoint;
    assert.deepEqual([...got, ...(await metricsOf({ resume, env: mazes().env, updates: 6 }))], whole);
    assert.throws(() => train({ resume, updates: 6 }), {
      name: "TypeError",
      message:
        "Cannot resume: env must be the curriculum that was trained, but the checkpoint holds its state, and TMaze-v0 takes none.",
    });
  });
});
