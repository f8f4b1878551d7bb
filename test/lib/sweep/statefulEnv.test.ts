import assert from "node:assert/strict";
import { curriculum, LevelSampler, make, sweep, trainSeeds, type Env, type TrainRecord } from "turnwise";

const levels = (): Env =>
  curriculum(
    [1, 2, 3].map((length) => make("TMaze-v0", { length })),
    new LevelSampler({ levels: 3 }),
  );
const setting = { recipe: "grpo", updates: 12, groups: 4, groupSize: 4 } as const;
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
      /env\[0\] as it must be plain data .*: it is an instance of Curriculum/,
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
        /^Cannot train several seeds: each run must begin with the same environment, and TMaze-v0 changes with training/,
    });
  });
});
