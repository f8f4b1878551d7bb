import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import {
  autodiffPolicy,
  custom,
  make,
  recipe,
  register,
  TabularPolicy,
  trainSeeds,
  type Batch,
  type SeedRuns,
  type TrainRecord,
} from "turnwise";
import { displaySymbol } from "turnwise/plot";
import { interquartileMean } from "turnwise/internal/sweep/index";
import { root } from "../../support/paths.js";

const setting = { env: "LookUp-v0", recipe: "grpo", updates: 3, groups: 2, groupSize: 4 } as const;

describe("trainSeeds()", () => {
  it("runs every seed as a run of its own and summarizes the last records", async () => {
    const heard: number[] = [];
    const all = await trainSeeds(setting, 3, (_, seed) => heard.push(seed));
    assert.deepEqual(all.seeds, [0, 1, 2]);
    assert.deepEqual(heard, [0, 0, 0, 1, 1, 1, 2, 2, 2]);
    const alone = await trainSeeds(setting, [2]);
    assert.deepEqual(
      alone.runs[0]!.map((r) => r.metrics["reward/mean"]),
      all.runs[2]!.map((r) => r.metrics["reward/mean"]),
    );
    const summary = all.final("reward/mean", { last: 2 });
    const expected = all.runs.map(
      (run) => (run[1]!.metrics["reward/mean"]! + run[2]!.metrics["reward/mean"]!) / 2,
    );
    assert.deepEqual(summary.values, expected);
    assert.equal(summary.n, 3);
    assert.ok(summary.low <= summary.mean && summary.mean <= summary.high);
  });

  it("refuses seeds that repeat, and a policy that all seeds would share", async () => {
    await assert.rejects(trainSeeds(setting, [1, 1]), /must be different and at least one, got \[1, 1\]/);
    const policy = new TabularPolicy(make("LookUp-v0").spec);
    await assert.rejects(trainSeeds({ ...setting, policy }, 2), /policy must be options/);
    const all = await trainSeeds(setting, 1);
    assert.throws(
      () => all.final("critic/explainedVariance"),
      /Cannot summarize "critic\/explainedVariance": the last 1 records of every run/,
    );
  });

  it("ends with the runs finished so far when aborted", async () => {
    const stop = new AbortController();
    const all = await trainSeeds({ ...setting, signal: stop.signal }, 3, (record, seed) => {
      if (seed === 1 && record.update === 2) stop.abort();
    });
    assert.deepEqual(all.seeds, [0]);
  });
});

/** Records without the time that they took. */
const untimed = ({ runs }: SeedRuns): unknown =>
  runs.map((run) => run.map(({ seconds: _, ...record }: TrainRecord) => record));

describe("trainSeeds() on workers", function () {
  this.timeout(120_000);

  it("gives the records of one thread bit by bit, in the order of the seeds, and hands each on once", async () => {
    const setting = {
      recipe: "seeUpo",
      env: "Tiger-v0",
      updates: 6,
      exactEvery: true,
      evalEvery: 2,
    } as const;
    const here = await trainSeeds(setting, [5, 1, 3, 2], { workers: 0 });
    const heard: string[] = [];
    const there = await trainSeeds(setting, [5, 1, 3, 2], {
      workers: 2,
      onRecord: ({ update }, seed) => heard.push(`${seed}:${update}`),
    });
    assert.deepEqual(there.seeds, [5, 1, 3, 2]);
    assert.deepEqual(untimed(there), untimed(here));
    assert.equal(heard.length, 24);
    assert.equal(new Set(heard).size, 24);
    for (const seed of there.seeds) {
      const own = heard.filter((one) => one.startsWith(`${seed}:`));
      assert.deepEqual(
        own,
        [1, 2, 3, 4, 5, 6].map((update) => `${seed}:${update}`),
      );
    }
  });

  it("starts them by itself once the work is long enough, and goes on with the seed that it has begun", async () => {
    const stop = new AbortController();
    const long = { env: "LookUp-v0", recipe: "grpo", updates: 100_000, groups: 2, groupSize: 4 } as const;
    const counts = new Map<number, number>();
    const { unfinished } = await trainSeeds({ ...long, signal: stop.signal }, 4, {
      onRecord: ({ update }, seed) => {
        counts.set(seed, update);
        if ([...counts.values()].filter((count) => count >= 30).length >= 2) stop.abort();
      },
    });
    assert.equal(unfinished[0]!.seed, 0);
    assert.ok(unfinished.length >= 2);
    const alone = await trainSeeds(
      { ...long, updates: 30 },
      unfinished.map(({ seed }) => seed),
      { workers: 0 },
    );
    const shown = ({ metrics, update }: TrainRecord): unknown => [update, metrics];
    for (const [i, { records }] of unfinished.entries()) {
      const some = records.slice(0, 30);
      assert.deepEqual(some.map(shown), alone.runs[i]!.slice(0, some.length).map(shown));
    }
  });

  it("does not start them for a few short runs", async () => {
    const order: number[] = [];
    await trainSeeds(setting, 6, (_, seed) => order.push(seed));
    assert.deepEqual(
      order,
      [...order].sort((a, b) => a - b),
    );
  });

  it("keeps what lives in this thread alone here, and refuses to send it, saying what it is", async () => {
    register("OnlyHere-v0", () => make("LookUp-v0"));
    const squared = recipe("rloo", {
      advantage: custom("squared", (batch) => batch.return_n.map((R) => R * R)),
    });
    const rows: readonly [object, string][] = [
      [{ env: "OnlyHere-v0" }, '"OnlyHere-v0"'],
      [{ env: make("LookUp-v0") }, "env is a ready environment"],
      [{ recipe: squared }, 'the function "squared" lives only in this program'],
    ];
    for (const [own, named] of rows) {
      const mine = { ...setting, ...own };
      assert.equal((await trainSeeds(mine, 2)).runs.length, 2);
      await assert.rejects(
        trainSeeds(mine, 2, { workers: 2 }),
        ({ name, message }: Error) =>
          name === "RangeError" &&
          message.startsWith(
            "Cannot train on 2 workers: they must know everything that the setting names, but ",
          ) &&
          message.includes(named) &&
          message.endsWith("leave workers out to train in this thread."),
      );
    }
  });

  for (const workers of [0, 2]) {
    it(`ends with the error of a seed that fails, which holds the finished ones (workers: ${workers})`, async () => {
      // Turn-by-turn rules cannot train on retrieved tokens, which a run finds out when it begins.
      const failing = { ...setting, recipe: "seeUpo", observationTokens: "trained" } as const;
      const finished = { update: 3, metrics: {}, samples: 0, optimizerSteps: 0, seconds: 0, seed: 1 };
      const error = await trainSeeds(failing, 3, { workers, resume: [finished] }).then(
        () => assert.fail("must reject"),
        (thrown: Error & { runs?: SeedRuns }) => thrown,
      );
      assert.match(`${error.name}: ${error.message}`, /^RangeError: Cannot train on retrieved tokens/);
      assert.deepEqual(error.runs!.seeds, [1]);
    });

    it(`ends with what a callback throws (workers: ${workers})`, async () => {
      const stop = (): never => {
        throw new TypeError("enough");
      };
      await assert.rejects(
        trainSeeds({ ...setting, updates: 300 }, 3, { workers, onRecord: stop }),
        /enough/,
      );
    });
  }

  it("keeps the finished seeds at Ctrl-C in a script, which goes on with them", async function () {
    const code = `
      const { trainSeeds } = require("turnwise");
      const short = { env: "LookUp-v0", recipe: "grpo", updates: 1, groups: 1, groupSize: 2 };
      const long = { ...short, updates: 100000 };
      let told = false;
      const how = { workers: 2, onRecord: () => { if (!told) console.log("working"); told = true; } };
      trainSeeds(short, 1).then(({ runs }) => {
        const resume = { seeds: [7], runs: [[{ ...runs[0][0], update: 100000 }]] };
        return trainSeeds(long, [7, 8, 9], { ...how, resume });
      }).then((runs) => console.log(String(runs), runs.unfinished.map(({ seed }) => seed).join()));`;
    const child = spawn(process.execPath, ["-e", code], { cwd: root });
    let [out, err] = ["", ""];
    child.stdout.on("data", (chunk: Buffer) => {
      if (out === "") child.kill("SIGINT");
      out += String(chunk);
    });
    child.stderr.on("data", (chunk: Buffer) => (err += String(chunk)));
    const status = await new Promise((resolve) => child.on("close", resolve));
    assert.equal(status, 0, err);
    assert.match(out, /^working\ngrpo: 1 of 3 seeds, 1 updates each; reward\/mean .* (8|9|8,9)\n$/);
    assert.match(
      err,
      /^Interrupted: 1 of 3 seeds are finished and kept\. trainSeeds\(\.\.\., \{ resume: runs \}\) trains the other 2\.\n$/,
    );
  });
});

describe("trainSeeds() that goes on", () => {
  it("trains the missing seeds alone, and gives the runs of one that was never interrupted", async () => {
    const stop = new AbortController();
    const some = await trainSeeds({ ...setting, signal: stop.signal }, 4, (record, seed) => {
      if (seed === 2 && record.update === 2) stop.abort();
    });
    assert.deepEqual(
      [some.seeds, some.unfinished.map(({ seed, records }) => [seed, records.length])],
      [[0, 1], [[2, 2]]],
    );
    assert.equal(some.toString().split(",")[0], "grpo: 2 of 4 seeds");
    const heard = new Set<number>();
    const all = await trainSeeds(setting, 4, { resume: some, onRecord: (_, seed) => heard.add(seed) });
    assert.deepEqual([...heard], [2, 3]);
    // A chart gets the finished seeds, too: its band is that of all.
    const drawn: string[] = [];
    const chart = {
      add: (record: TrainRecord, series?: string, seed?: number) =>
        drawn.push(`${series} ${seed} ${record.update}`),
    };
    await trainSeeds(setting, 3, { resume: some, chart });
    assert.deepEqual(
      drawn,
      [0, 1, 2].flatMap((seed) => [1, 2, 3].map((update) => `grpo ${seed} ${update}`)),
    );
    assert.deepEqual(untimed(all), untimed(await trainSeeds(setting, 4)));
    assert.equal(all.runs[0], some.runs[0]);
    assert.match(
      all[displaySymbol]()["text/plain"] as string,
      /^grpo: 4 seeds, 3 updates each; reward\/mean -?\d/,
    );
  });

  it("takes records with seeds as well, and trains those again that are not whole", async () => {
    const { runs } = await trainSeeds(setting, 2);
    const records = [...runs[0]!.map((r) => ({ ...r, seed: 0 })), { ...runs[1]![0]!, seed: 1 }];
    const heard = new Set<number>();
    await trainSeeds(setting, 2, { resume: records, onRecord: (_, seed) => heard.add(seed) });
    assert.deepEqual([...heard], [1]);
  });

  it("refuses seeds of another setting by what differs, and misspelled options", async () => {
    const some = await trainSeeds(setting, 1);
    await assert.rejects(trainSeeds({ ...setting, recipe: "rloo", groups: 4 }, 2, { resume: some }), {
      name: "RangeError",
      message:
        "Cannot go on with these seeds: the setting must be the one that they were trained with, but it has another recipe, groups.",
    });
    await assert.rejects(trainSeeds(setting, 2, { worker: 2 } as never), {
      message: /^Cannot train several seeds: unknown option "worker"\.\nDid you mean "workers"\?$/,
    });
    await assert.rejects(trainSeeds(setting, 2, { workers: -1 }), {
      message: "Cannot train several seeds: workers must be an integer >= 0, got -1.",
    });
    await assert.rejects(
      trainSeeds(setting, 2, { resume: Promise.resolve() as never }),
      /did you forget await\?\)\.$/,
    );
  });
});

describe("trainSeeds() with a function whose cell is run again", () => {
  /** As a cell or a module makes it again each time: new objects, whose text is the same. */
  const made = (by: (R: number) => number, label = "bent") => ({
    ...setting,
    recipe: recipe("grpo", { advantage: custom(label, ({ return_n }) => return_n.map(by)) }),
  });
  /** What differs stands in the text of the function itself, as in a cell that was edited. */
  const squared = () => ({
    ...setting,
    recipe: recipe("grpo", { advantage: custom("bent", ({ return_n }) => return_n.map((R) => R * R)) }),
  });
  function rewardOf(this: { shift(R: number): number }, { return_n }: Batch): number[] {
    return Array.from(return_n, (R) => this.shift(R));
  }
  const refused = (now: unknown, before: SeedRuns): Promise<string> =>
    trainSeeds(now as typeof setting, 3, { resume: before }).then(
      () => "nothing was refused",
      (error: Error) => `${error.name}: ${error.message}`,
    );
  const only =
    "RangeError: Cannot go on with these seeds: the setting must be the one that they were trained with, but it has another";

  it("goes on where label and text are the same, with the records of one call", async () => {
    const some = await trainSeeds(squared(), 1);
    const heard = new Set<number>();
    const all = await trainSeeds(squared(), 3, { resume: some, onRecord: (_, seed) => heard.add(seed) });
    assert.deepEqual([...heard], [1, 2]);
    assert.deepEqual(untimed(all), untimed(await trainSeeds(squared(), 3)));
  });

  it("knows functions by name, such as a gate's objective and slope, by all their texts", async () => {
    const gated = (slope: () => number) => ({
      ...setting,
      recipe: recipe("grpo", {
        gate: custom("soft", { objective: ({ ratio, advantage }) => ratio * advantage, slope }),
      }),
    });
    const before = await trainSeeds(
      gated(() => 0.5),
      1,
    );
    assert.deepEqual(
      (
        await trainSeeds(
          gated(() => 0.5),
          2,
          { resume: before },
        )
      ).seeds,
      [0, 1],
    );
    assert.equal(
      await refused(
        gated(() => 0.25),
        before,
      ),
      `${only} recipe (the text of gate "soft" has changed).`,
    );
  });

  it("knows an own policy by what it is made from, and a bound function by itself alone", async () => {
    const linear = (scale: 1 | 2) => ({
      ...setting,
      policy: autodiffPolicy({
        parameters: ({ features, vocabulary }) => ({ W: [features, vocabulary] }),
        logits:
          scale === 1
            ? (tf, { W }, x) => tf.matMul(x.features, W)
            : (tf, { W }, x) => tf.mul(2, tf.matMul(x.features, W)),
      }),
    });
    const before = await trainSeeds(linear(1), 1);
    assert.deepEqual((await trainSeeds(linear(1), 2, { resume: before })).seeds, [0, 1]);
    assert.equal(await refused(linear(2), before), `${only} policy.`);
    const plus = (a: number, R: number): number => R + a;
    const bound = (a: number) => {
      const by = { shift: plus.bind(null, a) };
      return { ...setting, recipe: recipe("grpo", { reward: custom("bound", rewardOf.bind(by)) }) };
    };
    const some = bound(1);
    const trained = await trainSeeds(some, 1);
    assert.deepEqual((await trainSeeds({ ...some }, 2, { resume: trained })).seeds, [0, 1]);
    assert.equal(
      await refused(bound(1), trained),
      `${only} recipe (the text of reward.custom "bound" has changed).`,
    );
  });

  it("refuses another text under the same label, by cell and label, and names what else differs", async () => {
    const before = await trainSeeds(squared(), 1);
    assert.equal(
      await refused(
        made((R) => R),
        before,
      ),
      `${only} recipe (the text of advantage "bent" has changed).`,
    );
    assert.equal(
      await refused({ ...made((R) => R), groups: 4 }, before),
      `${only} recipe (the text of advantage "bent" has changed), groups.`,
    );
    assert.equal(
      await refused(
        made((R) => R, "straight"),
        before,
      ),
      `${only} recipe.`,
    );
  });
});

describe("interquartileMean()", () => {
  it("averages the middle half, with values on the border in part", () => {
    // 8 values: drop two at each end, (3 + 4 + 5 + 6) / 4 = 4.5.
    assert.equal(interquartileMean([1, 2, 3, 4, 5, 6, 7, 800]), 4.5);
    // 3 values: borders at .75 and 2.25, weights .25, 1, .25: (.25 * 0 + 1 * 1 + .25 * 2) / 1.5 = 1.
    assert.equal(interquartileMean([0, 1, 2]), 1);
    assert.equal(interquartileMean([7]), 7);
  });

  it("weighs the values on both borders where the number of values is no multiple of 4", () => {
    const near = (values: readonly number[], expected: number): void =>
      assert.ok(Math.abs(interquartileMean(values) - expected) < 1e-12, `${interquartileMean(values)}`);
    // 5 values: borders at 1.25 and 3.75, weights .75, 1, .75: (.75 * 0 + 1 * 1 + .75 * 4) / 2.5 = 1.6.
    near([0, 0, 1, 4, 10], 1.6);
    // 6 values: borders at 1.5 and 4.5, weights .5, 1, 1, .5: (0 + 1 + 2 + .5 * 8) / 3 = 7 / 3.
    near([9, 8, 2, 1, 0, 0], 7 / 3);
    // 7 values: borders at 1.75 and 5.25, weights .25, 1, 1, 1, .25: (0 + 0 + 1 + 2 + .25 * 8) / 3.5 = 10 / 7.
    near([0, 0, 0, 1, 2, 8, 9], 10 / 7);
  });
});
