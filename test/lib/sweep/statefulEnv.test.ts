import assert from "node:assert/strict";
import {
  createPolicy,
  curriculum,
  LevelSampler,
  make,
  RecordStatistics,
  sweep,
  train,
  trainSeeds,
  type Env,
  type TrainRecord,
} from "turnwise";

const levels = (): Env =>
  curriculum(
    [1, 2, 3].map((length) => make("TMaze-v0", { length })),
    new LevelSampler({ levels: 3 }),
  );
const setting = { recipe: "grpo", updates: 12, groups: 4, groupSize: 4 } as const;
const ended = async (run: AsyncIterable<unknown>): Promise<void> => {
  for await (const _ of run);
};
const untimed = (run: readonly TrainRecord[]): unknown => run.map(({ seconds: _, ...record }) => record);

describe("several runs on an environment that changes with training", () => {
  it("begin alike: each seed of trainSeeds gives what it gives alone, and so do seeds that are added later", async () => {
    const env = levels();
    const before = JSON.stringify(env.state!());
    const [zero, one] = (await trainSeeds({ ...setting, env }, 2)).runs.map(untimed);
    assert.equal(JSON.stringify(env.state!()), before, "the environment is left as it was");
    for (const [seed, run] of [zero, one].entries())
      assert.deepEqual((await trainSeeds({ ...setting, env: levels() }, [seed])).runs.map(untimed), [run]);
    const options = { ...setting, env };
    const resumed = await trainSeeds(options, 2, { resume: await trainSeeds(options, 1) });
    assert.deepEqual(resumed.runs.map(untimed), [zero, one]);
  });

  it("go on with an environment that was built again, as a cell that is run again does", async () => {
    const first = await trainSeeds({ ...setting, env: levels() }, 1);
    const both = await trainSeeds({ ...setting, env: levels() }, 2, { resume: first });
    assert.deepEqual(both.runs, (await trainSeeds({ ...setting, env: levels() }, 2, { resume: both })).runs);
    assert.deepEqual(both.runs[0], first.runs[0]);
    // With other levels, or with estimates that have moved, it is another one.
    const others = curriculum(
      [1, 2, 4].map((length) => make("TMaze-v0", { length })),
      new LevelSampler({ levels: 3 }),
    );
    const moved = levels();
    await ended(train({ ...setting, env: moved }));
    for (const env of [others, moved])
      await assert.rejects(async () => trainSeeds({ ...setting, env }, 2, { resume: first }), /another env/);
  });

  it("are refused, with the seeds that are finished, if it remembers what state() does not return", async () => {
    const easy = make("TMaze-v0", { length: 1 });
    let episodes = 0;
    const env: Env = Object.assign(Object.create(easy) as Env, {
      reset: (o?: object) => ((episodes += 1), easy.reset(o)),
      step: (action: never) => {
        const [observation, reward, ...rest] = easy.step(action);
        return [observation, episodes > 100 ? reward / 2 : reward, ...rest];
      },
      fork: () => undefined,
    });
    await assert.rejects(
      trainSeeds({ ...setting, env }, 2),
      (error: Error & { runs?: { seeds: number[] } }) => {
        assert.match(
          error.message,
          /^Cannot train several seeds: .* TMaze-v0 behaves differently since seed 0 was trained: it remembers something that state\(\)/,
        );
        assert.deepEqual(error.runs!.seeds, [0]);
        return true;
      },
    );
  });

  it("leave no trial episodes in a recorder", async () => {
    const env = new RecordStatistics(make("TMaze-v0", { length: 1 }));
    await trainSeeds({ ...setting, env, updates: 1 }, 2);
    // Training plays copies, which keep their own; a trial of the recorder itself would be seen here.
    assert.equal(env.episodes.length, 0);
  });

  it("are refused if a function gives one policy to two of them", async () => {
    const policy = createPolicy(make("TMaze-v0").spec);
    await assert.rejects(
      trainSeeds({ ...setting, env: "TMaze-v0", policy: () => policy }, 2, { workers: 0 }),
      {
        name: "RangeError",
        message: /must make a new policy for each run, but it returned one that an earlier run has trained/,
      },
    );
  });

  it("evaluate without a trace, or refuse before the first update", async () => {
    const env = levels();
    const before = JSON.stringify(env.state!());
    const run = train({ ...setting, env, updates: 1, evalEvery: 1, evalEpisodes: 8 });
    await ended(run);
    const plain = levels();
    await ended(train({ ...setting, env: plain, updates: 1 }));
    assert.notEqual(JSON.stringify(env.state!()), before);
    assert.deepEqual(env.state!(), plain.state!());
    const forgetful = Object.assign(Object.create(levels()) as Env, { state: undefined });
    assert.throws(
      () => train({ ...setting, env: forgetful, evalEvery: 1 }),
      /^RangeError: Cannot evaluate while training: it must find the same environment each time/,
    );
  });

  it("begin alike after a run that was stopped", async () => {
    const env = levels();
    const stop = new AbortController();
    await trainSeeds({ ...setting, env, signal: stop.signal }, 2, ({ update }) => {
      if (update === 7) stop.abort();
    });
    assert.deepEqual(env.state!(), levels().state!());
  });

  it("are refused by a sweep, whose jobs make their own", async () => {
    const env = [levels()] as unknown as string[];
    await assert.rejects(
      async () => sweep({ ...setting, env, seeds: 2, metric: "reward/mean", workers: 0 }),
      /env\[0\]: it must be plain data .*, but it is an instance of Curriculum/,
    );
  });

  it("are refused if it changes and cannot be given its state back", async () => {
    const { state: _, restore: __, ...rest } = levels();
    const env = Object.assign(Object.create(rest) as Env, {
      spec: make("TMaze-v0").spec,
      reset: () => [[0], {}] as never,
      step: () => undefined as never,
      afterUpdate: () => undefined,
    });
    await assert.rejects(trainSeeds({ ...setting, env }, 2), {
      name: "RangeError",
      message:
        /^Cannot train several seeds: it must find the same environment each time, and TMaze-v0 changes with training \(it has afterUpdate\) without state\(\) and restore\(\)\. Add them, or register the world and give its id\.$/,
    });
    // An id would make the same environment: within a run, no id helps.
    assert.throws(() => train({ ...setting, env, evalEvery: 1 }), {
      name: "RangeError",
      message:
        /^Cannot evaluate while training: .* without state\(\) and restore\(\)\. Add them, or set evalEvery to 0\.$/,
    });
    const half = Object.assign(Object.create(env) as Env, { state: () => 1 });
    assert.throws(() => train({ ...setting, env: half, evalEvery: 1 }), / without restore\(\)\. Add it, or /);
  });
});
