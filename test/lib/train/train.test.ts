import assert from "node:assert/strict";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  enumerateReturn,
  loadCheckpoint,
  make,
  NonFiniteError,
  recipe,
  saveCheckpoint,
  TabularPolicy,
  tf,
  train,
  Wrapper,
  type Checkpoint,
  type RecipeName,
  type StepResult,
  type TrainOptions,
  type TrainRecord,
} from "turnwise";

type Timeless = Omit<TrainRecord, "seconds">;

const timeless = ({ seconds: _seconds, ...record }: TrainRecord): Timeless => record;

async function records(options: TrainOptions): Promise<Timeless[]> {
  const all: Timeless[] = [];
  for await (const record of train(options)) all.push(timeless(record));
  return all;
}

const adam = (learningRate: number): { update: { optimizer: { learningRate: number } } } => ({
  update: { optimizer: { learningRate } },
});

describe("train()", () => {
  const rules: [name: RecipeName, learningRate: number][] = [
    ["grpo", 0.03],
    ["rloo", 0.1],
    ["seeUpo", 0.03],
  ];
  for (const [name, learningRate] of rules) {
    it(`${name} reaches 95 % of LookUp-v0's optimum from seeds 1, 2 and 3`, async () => {
      for (const seed of [1, 2, 3]) {
        const run = train({ env: "LookUp-v0", recipe: recipe(name, adam(learningRate)), updates: 200, seed });
        for await (const { update } of run) {
          if (update % 20 === 0 && enumerateReturn(run.env, run.policy, { gradient: false }).J > 0.95) break;
        }
        const { J } = enumerateReturn(run.env, run.policy, { gradient: false });
        assert.ok(J > 0.95, `seed ${seed}: ${J}`);
      }
    }).timeout(60000);
  }

  it("yields one record per update, with counts that add up and finite metrics", async () => {
    const all = await records({
      env: "LookUp-v0",
      recipe: "grpo",
      updates: 3,
      groups: 4,
      groupSize: 5,
      seed: 1,
    });
    // grpo: 2 epochs x 2 minibatches = 4 steps; 4 x 5 trajectories.
    assert.deepEqual(
      all.map(({ update, samples, optimizerSteps }) => [update, samples, optimizerSteps]),
      [
        [1, 20, 4],
        [2, 40, 8],
        [3, 60, 12],
      ],
    );
    for (const { metrics } of all) {
      for (const [name, value] of Object.entries(metrics)) assert.ok(Number.isFinite(value), name);
    }
    const { metrics } = all[0]!;
    // A uniform policy over 6 tokens has an entropy of ln 6 per token before the first step.
    assert.ok(metrics["policy/entropy"]! > 0.95 * Math.log(6));
    assert.ok(metrics["turns/mean"]! >= 1 && metrics["turns/mean"]! <= 2);
    assert.equal(metrics["tokens/mean"], 2 * metrics["turns/mean"]!);
  });

  it("a run with the same options yields the same records; another seed does not", async () => {
    const options = { env: "LookUp-v0", recipe: "seeUpo", updates: 4, seed: 3 } as const;
    assert.deepEqual(await records(options), await records(options));
    assert.notDeepEqual(await records({ ...options, seed: 4 }), await records(options));
  });

  for (const name of ["grpo", "seeUpo", "seeUpoAuthors"] as const) {
    it(`${name}: a run that is stopped, saved as text and resumed yields the records of one that never stopped`, async () => {
      const options = { env: "LookUp-v0", recipe: name, seed: 5, groups: 4, exactEvery: 3 } as const;
      const whole = await records({ ...options, updates: 8 });
      const first = train({ ...options, updates: 8 });
      const got: Timeless[] = [];
      for await (const record of first) {
        got.push(timeless(record));
        if (record.update === 3) break;
      }
      assert.equal(first.stopReason, "returned");
      const checkpoint = JSON.parse(JSON.stringify(first.checkpoint())) as Checkpoint;
      got.push(...(await records({ resume: checkpoint, updates: 8 })));
      assert.deepEqual(got, whole);
    });
  }

  it("an AbortSignal ends the run between updates and loses nothing", async () => {
    const options = { env: "LookUp-v0", recipe: "rloo", seed: 2 } as const;
    const whole = await records({ ...options, updates: 5 });
    const controller = new AbortController();
    const run = train({ ...options, updates: 5, signal: controller.signal });
    const got: Timeless[] = [];
    for await (const record of run) {
      got.push(timeless(record));
      if (record.update === 2) controller.abort();
    }
    assert.equal(run.stopReason, "aborted");
    assert.equal(got.length, 2);
    got.push(...(await records({ resume: run.checkpoint(), updates: 5 })));
    assert.deepEqual(got, whole);
  });

  it("gives the event loop a turn while it trains", async () => {
    let ticks = 0;
    const timer = setInterval(() => ticks++, 5);
    // No count of updates is long enough on every machine: the timer itself ends the run.
    for await (const record of train({ env: "LookUp-v0", recipe: "grpo", updates: 5000, seed: 1 })) {
      if (ticks >= 3 || record.seconds > 20) break;
    }
    clearInterval(timer);
    assert.ok(ticks >= 3, `${String(ticks)} ticks`);
  });

  it("a reward that is not finite stops training with a dump, and keeps the state before the update", async () => {
    class Poisoned extends Wrapper {
      poison = false;
      override step(action: readonly number[]): StepResult {
        const [observation, reward, ...rest] = this.inner.step(action);
        return [observation, this.poison ? NaN : reward, ...rest];
      }
      override fork(): undefined {
        return undefined;
      }
    }
    const env = new Poisoned(make("LookUp-v0"));
    const run = train({ env, recipe: "grpo", updates: 5, seed: 1 });
    await run.next();
    const good = run.checkpoint();
    env.poison = true;
    await assert.rejects(run.next(), /finite/);
    assert.equal(run.stopReason, "failed");
    assert.deepEqual(run.checkpoint(), good);
  });

  it("a log-prob that is not finite is a NonFiniteError that names the worst tokens", async () => {
    class Broken extends TabularPolicy {
      override evaluate(
        ...args: Parameters<TabularPolicy["evaluate"]>
      ): ReturnType<TabularPolicy["evaluate"]> {
        const evaluation = super.evaluate(...args);
        evaluation.logProb_ntl[0] = NaN;
        return evaluation;
      }
    }
    const env = make("LookUp-v0");
    const run = train({
      env,
      recipe: recipe("grpo", { update: { epochs: 1, minibatches: 1 } }),
      policy: new Broken(env.spec),
      updates: 1,
    });
    await assert.rejects(run.next(), (error: NonFiniteError) => {
      assert.equal(error.name, "NonFiniteError");
      assert.match(
        error.message,
        /^Cannot go on training: loss and gradient must be finite, but update 1 has loss NaN/,
      );
      assert.deepEqual(
        {
          turn: error.dump.worst[0]!.turn,
          token: error.dump.worst[0]!.token,
          id: error.dump.worst[0]!.trajectoryId,
        },
        { turn: 0, token: 0, id: "0.0" },
      );
      return true;
    });
  });

  it("leaks no tensor over 200 updates of a table and 200 of a transformer", async () => {
    const { numTensors } = tf.memory();
    await records({ env: "LookUp-v0", recipe: "grpo", updates: 200, seed: 1 });
    const policy = { kind: "transformer", width: 4, window: 8 } as const;
    await records({
      env: "LookUp-v0",
      policy,
      recipe: "ppo",
      updates: 200,
      groups: 2,
      groupSize: 2,
      seed: 1,
    });
    assert.equal(tf.memory().numTensors, numTensors);
  }).timeout(60_000);

  it("names options that do not fit, before any work is done", () => {
    const bad: [options: TrainOptions, message: string][] = [
      [{ recipe: "grpo", updates: 1 }, "Cannot train: env must be an id or an environment, got none."],
      [{ env: "LookUp-v0", updates: 1 }, "Cannot train: recipe must be a rule or the name of one, got none."],
      [
        { env: "LookUp-v0", recipe: "grpo", updates: 1, groupSize: 0 },
        "Cannot train: groupSize must be an integer of at least 1, got 0.",
      ],
      [
        { env: make("LookUp-v0"), envOptions: { facts: 2 }, recipe: "grpo", updates: 1 },
        "Cannot train: envOptions must come with an id, but env is already an environment.",
      ],
      [
        {
          resume: train({ env: "LookUp-v0", recipe: "grpo", updates: 1 }).checkpoint(),
          recipe: "rloo",
          updates: 2,
        },
        "Cannot resume: the checkpoint fixes recipe. Leave it out.",
      ],
      [
        { resume: { format: "other" } as unknown as Checkpoint, updates: 2 },
        'Cannot resume: the checkpoint must be a turnwise-checkpoint of version 1, got format "other", version undefined.',
      ],
    ];
    for (const [options, message] of bad) assert.throws(() => train(options), { message });
  });
});

describe("saveCheckpoint() and loadCheckpoint()", () => {
  it("give the checkpoint back, whole, and leave no half-written file", async () => {
    const folder = await mkdtemp(join(tmpdir(), "turnwise-"));
    try {
      assert.equal(await loadCheckpoint(folder), undefined);
      const run = train({ env: "LookUp-v0", recipe: "grpo", updates: 1, seed: 1 });
      await run.next();
      await saveCheckpoint(folder, run.checkpoint());
      assert.deepEqual(await loadCheckpoint(folder), JSON.parse(JSON.stringify(run.checkpoint())));
      assert.deepEqual(await readdir(folder), ["checkpoint.json"]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
