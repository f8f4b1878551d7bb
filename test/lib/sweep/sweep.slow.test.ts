import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { merge, readSweep, sweep, SweepError, sweepTable, type SweepOptions } from "turnwise";

const jobs = join(__dirname, "jobs.js");
const values = (outcome: { results: readonly { key: string; value: unknown }[] }): unknown[] =>
  outcome.results.map(({ key, value }) => [key, value]);

describe("sweep", function () {
  // A worker thread starts in a fraction of a second on an idle machine, and in many seconds on a busy one.
  this.timeout(180_000);
  let folder = "";
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "turnwise-sweep-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const inFolder = (name: string): string => join(folder, name);
  const logged = (): string[] => readFileSync(inFolder("log"), "utf8").trim().split("\n").sort();

  it("gives the same bits over threads as in this thread, NaN and -0 included", async () => {
    const plan = {
      task: { module: jobs, export: "draw" },
      grid: { scale: [1, 1 / 3, 2] },
      seeds: 5,
    };
    const threads = await sweep<{ x: number; odd: number }>({ ...plan, workers: 3 });
    const here = await sweep<{ x: number; odd: number }>({ ...plan, workers: 0 });
    assert.equal(threads.results.length, 15);
    assert.deepEqual(values(threads), values(here));
    assert.ok(Object.is(threads.results[0]!.value.odd, -0));
    assert.ok(Number.isNaN(threads.results[3]!.value.odd));
  });

  it("trains over threads as train does, and gives results seed by seed", async () => {
    const plan: SweepOptions = {
      recipe: ["grpo", "seeUpo"],
      env: "LookUp-v0",
      updates: 3,
      groups: 2,
      groupSize: 4,
      last: 2,
      curves: ["reward/mean"],
      seeds: [5, 3],
    };
    const threads = await sweep({ ...plan, workers: 2 });
    assert.deepEqual(
      threads.results.map(({ key }) => key),
      ["recipe=grpo seed=5", "recipe=seeUpo seed=5", "recipe=grpo seed=3", "recipe=seeUpo seed=3"],
    );
    assert.deepEqual(values(threads), values(await sweep({ ...plan, workers: 0 })));
    const [{ value }] = threads.results as unknown as [
      { value: { samples: number; records: { metrics: object }[] } },
    ];
    assert.equal(value.samples, 3 * 2 * 4);
    assert.deepEqual(Object.keys(value.records[0]!.metrics), ["reward/mean"]);
    assert.equal(value.records.length, 3);
  });

  it("goes on after kill -9 with no result lost and no finished job run again", async () => {
    const file = inFolder("results.jsonl");
    const [log, hold] = [inFolder("log"), inFolder("hold")];
    writeFileSync(hold, "");
    const child = spawn(process.execPath, [join(__dirname, "interrupted.js"), file, log, hold], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const closed = once(child, "close");
    let heard = 0;
    for await (const _ of createInterface({ input: child.stdout })) if (++heard === 5) child.kill("SIGKILL");
    await closed;
    const before = readSweep(file).rows;
    // Seeds 0 to 3 of three settings can end while the others are held.
    assert.ok(before.length >= 5 && before.length <= 12, `${before.length} rows`);
    // A process that dies while it writes leaves half a line.
    appendFileSync(file, '{"key":"scale=1 se');
    writeFileSync(log, "");
    rmSync(hold);

    const plan = {
      task: { module: jobs, export: "draw" },
      grid: { log, hold, scale: [1, 2, 3] },
      seeds: 8,
    };
    const outcome = await sweep({ ...plan, workers: 2, file });
    const rerun = logged();
    assert.equal(rerun.length, 24 - before.length);
    const known = new Set(before.map(({ key }) => key));
    for (const line of rerun) {
      const [scale, seed] = line.split(" ");
      assert.ok(!known.has(`scale=${scale} seed=${seed}`), line);
    }
    const keys = readSweep(file).rows.map(({ key }) => key);
    assert.equal(new Set(keys).size, 24);
    assert.equal(keys.length, 24);
    assert.deepEqual(values(outcome), values(await sweep({ ...plan, workers: 0 })));
  });

  it("refuses a file of another plan, a foreign file, and a file that a living process writes", async () => {
    const file = inFolder("results.jsonl");
    const plan = { task: { module: jobs, export: "draw" }, grid: { scale: [1, 2] }, seeds: 2 };
    await sweep({ ...plan, workers: 0, file });
    assert.throws(
      () => sweep({ ...plan, seeds: 3, grid: { scale: [1, 3] }, file }),
      /it has another grid\.scale \(stored \S+, now \S+\), seeds \(stored \[\S+\], now \[\S+\]\)\.$/,
    );
    assert.throws(
      () => sweep({ ...plan, shard: "1/2", file }),
      /it has another shard \(stored null, now \{"index":1,"of":2\}\)\.$/,
    );
    writeFileSync(inFolder("notes.txt"), "notes\n");
    assert.throws(
      () => sweep({ ...plan, file: inFolder("notes.txt") }),
      /must be new or a sweep's own, but it holds something else/,
    );
    assert.equal(readFileSync(inFolder("notes.txt"), "utf8"), "notes\n");
    const owner = spawn(process.execPath, ["-e", "process.stdin.resume()"], {
      stdio: ["pipe", "ignore", "ignore"],
    });
    writeFileSync(`${file}.lock`, String(owner.pid));
    assert.throws(
      () => sweep({ ...plan, file }),
      /only one process at a time may write it, and process \d+ does/,
    );
    owner.stdin.end();
    await once(owner, "exit");
    // Its lock is left behind and binds nobody.
    assert.equal((await sweep({ ...plan, file })).results.length, 4);
  });

  it("keeps what the others gave when jobs fail, in whatever way, and tries the failed ones again", async () => {
    const file = inFolder("results.jsonl");
    const options = (broken: boolean): SweepOptions => ({
      task: { module: jobs, export: "moody" },
      grid: { scale: [0, 1, 2, 3], broken },
      seeds: 3,
      workers: 2,
    });
    await assert.rejects(
      async () => sweep(options(true)),
      (error: SweepError) => {
        assert.ok(error instanceof SweepError);
        assert.match(error.message, /every job must succeed, but 4 did not, first "scale=/);
        assert.equal(error.results.length, 8);
        assert.deepEqual(error.errors.map(({ key, error: cause }) => `${key}: ${cause.message}`).sort(), [
          "scale=0 seed=1: no such seed",
          "scale=1 seed=1: worker exited with code: 3",
          "scale=2 seed=1: Cannot hand on the result of a job: it must be plain data (numbers, text, lists, records), but it is an instance of Map.",
          "scale=3 seed=1: later",
        ]);
        return true;
      },
    );
    assert.equal((await sweep({ ...options(false), file })).results.length, 12);
  });

  /** What `failing.js` tells, in a node with these flags. */
  async function failing(name: string, flags: readonly string[]): Promise<unknown> {
    const child = spawn(process.execPath, [...flags, join(__dirname, "failing.js"), name], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    return JSON.parse(await text(child.stdout));
  }

  it("loses one job to a thread that runs out of memory, and no other", async () => {
    assert.deepEqual(await failing("greedy", ["--max-old-space-size=64"]), {
      errors: ["all seed=1: Worker terminated due to reaching memory limit: JS heap out of memory"],
      done: 3,
    });
  });

  it("rejects when no thread can start, and does not wait for ever", async () => {
    const broken = inFolder("broken.cjs");
    writeFileSync(broken, "if (!require('worker_threads').isMainThread) throw new Error('no room');");
    const told = JSON.stringify(await failing("draw", ["--require", broken]));
    assert.match(told, /no room/);
  });

  it("rejects at once when the module or its function is not there", async () => {
    assert.throws(
      () => sweep({ task: { module: "./nowhere.js", export: "x" }, grid: {}, seeds: 1 }),
      /task\.module must be found from .*, got "\.\/nowhere\.js"/,
    );
    await assert.rejects(
      async () => sweep({ task: { module: jobs, export: "no" }, grid: {}, seeds: 2, workers: 2 }),
      /must export the function "no"\. It exports draw, /,
    );
  });

  it("gives up a cell whose first seeds are all below, whatever the number of threads", async () => {
    const file = inFolder("results.jsonl");
    const plan = {
      task: { module: jobs, export: "constant" },
      grid: { scale: [0.1, 0.9], log: inFolder("log") },
      seeds: 6,
      prune: { seeds: 2, below: 0.5 },
    };
    const threads = await sweep({ ...plan, workers: 3, file });
    assert.deepEqual(threads.pruned, ["scale=0.1"]);
    // Two seeds of the pruned setting and all six of the other.
    assert.deepEqual(logged(), [
      ...["0.1 0", "0.1 1"],
      ...["0.9 0", "0.9 1", "0.9 2", "0.9 3", "0.9 4", "0.9 5"],
    ]);
    assert.deepEqual(values(threads), values(await sweep({ ...plan, workers: 0 })));
    const resumed = await sweep({ ...plan, workers: 1, file });
    assert.deepEqual(values(resumed), values(threads));
    assert.deepEqual(merge([file]).pruned, ["scale=0.1"]);
  });

  it("stops on a signal, on break and by the kernel's stop method, even with its threads stuck", async () => {
    const endless = { task: { module: jobs, export: "endless" }, grid: {}, seeds: 2, workers: 2 };
    const controller = new AbortController();
    const run = sweep({ ...endless, signal: controller.signal });
    await new Promise<void>((resolve) => run.onProgress(resolve));
    controller.abort();
    const outcome = await run;
    assert.equal(outcome.stopped, true);
    assert.equal(outcome.results.length, 0);
    assert.equal(run.progress.state, "stopped");

    const stuck = sweep({ task: { module: jobs, export: "stuck" }, grid: {}, seeds: 2, workers: 2 });
    (stuck as unknown as Record<symbol, () => void>)[Symbol.for("turnwise.stop")]!();
    assert.equal((await stuck).stopped, true);

    const first: string[] = [];
    const draws = sweep({ task: { module: jobs, export: "draw" }, grid: {}, seeds: 50, workers: 2 });
    for await (const { key } of draws) {
      first.push(key);
      break;
    }
    assert.equal(first.length, 1);
    assert.equal((await draws).stopped, true);
    assert.ok(draws.results.length >= 1);
  });

  it("stops while its threads are in a hot loop that looks for nothing but more memory", async () => {
    const run = sweep({ task: { module: jobs, export: "piling" }, grid: {}, seeds: 2, workers: 2 });
    await new Promise<void>((resolve) => run.onProgress(resolve));
    // Long enough for the loop to be compiled; on a busy machine it may not be, and then ends all the more easily.
    await sleep(1000);
    const ended = await Promise.race([run.stop().then(() => true), sleep(60_000, false, { ref: false })]);
    assert.ok(ended, "the threads are still in their loop");
    assert.equal((await run).stopped, true);
  });

  it("shards cover every job once, and merge joins them as if there had been one", async () => {
    const plan = { task: { module: jobs, export: "draw" }, grid: { scale: [1, 2] }, seeds: 5, workers: 0 };
    const files = [1, 2, 3].map((i) => inFolder(`shard-${i}.jsonl`));
    for (const [i, file] of files.entries()) await sweep({ ...plan, shard: `${i + 1}/3`, file });
    const whole = inFolder("whole.jsonl");
    const merged = merge(files, { file: whole });
    assert.deepEqual(values(merged), values(await sweep(plan)));
    assert.deepEqual(values(merge([whole])), values(merged));
    assert.throws(
      () => merge(files.slice(0, 2)),
      /^RangeError: Cannot merge: \d+ jobs are missing, first "scale=2 seed=1"/, // cell 1 and seed 1: part (1 + 1) % 3 + 1 = 3
    );
    assert.throws(
      () => merge([...files, files[0]!]),
      /each job must be done once, but "scale=1 seed=0" appears twice\.$/,
    );
    const other = inFolder("other.jsonl");
    await sweep({ ...plan, grid: { scale: [1, 3] }, file: other });
    assert.throws(() => merge([files[0]!, other]), /all files must be of one plan/);
  });

  it("shows its settings, intervals and state in a table that redraws itself", async () => {
    const run = sweep({
      task: { module: jobs, export: "constant" },
      grid: { scale: [0.25, 0.75] },
      seeds: 2,
      workers: 0,
    });
    const table = sweepTable(run) as unknown as Record<
      symbol,
      (notify?: () => void) => Record<string, string>
    >;
    let redrawn = 0;
    table[Symbol.for("turnwise.live")]!(() => redrawn++);
    await run;
    const bundle = table[Symbol.for("Jupyter.display")]!();
    assert.equal(redrawn, 5); // four results and the end
    assert.equal(
      bundle["text/plain"],
      [
        "4 of 4 jobs, finished",
        "scale=0.25     2/2  done     0.250 [0.250, 0.250]",
        "scale=0.75     2/2  done     0.750 [0.750, 0.750]",
      ].join("\n"),
    );
    assert.match(bundle["text/html"]!, /<caption>Sweep: 4 of 4 jobs, finished<\/caption>/);
  });
});
