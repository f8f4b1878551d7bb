import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import {
  loadCheckpoint,
  saveCheckpoint,
  sweep,
  train,
  trainSeeds,
  type TrainOptions,
  type TrainRecord,
} from "turnwise";
import { fusedReport } from "turnwise/tensor";
import { removeTemporaryFolders, temporaryFolder } from "../support/command.js";
import { root } from "../support/paths.js";
import { LibraryPage, type Site } from "./libraryPage.js";

type Turnwise = typeof import("turnwise");
type Plain = Omit<TrainRecord, "seconds">;

/** Whatever the clock says is no part of a record's meaning. */
const plain = (records: readonly TrainRecord[]): Plain[] =>
  records.map(({ seconds: _, ...record }) => record);

/** One row for each kind of policy. */
const rows = {
  table: { env: "LookUp-v0", recipe: "grpo", updates: 4 },
  "log-linear": { env: "LookUp-v0", recipe: "rloo", updates: 4, policy: { kind: "logLinear" } },
  mlp: { env: "LookUp-v0", recipe: "grpo", updates: 3, policy: { kind: "mlp" } },
  gru: { env: "LookUp-v0", recipe: "seeUpo", updates: 3, policy: { kind: "gru" } },
  transformer: { env: "LookUp-v0", recipe: "grpo", updates: 3, policy: { kind: "transformer" } },
  "doubles of a gru": {
    env: "LookUp-v0",
    recipe: "grpo",
    updates: 2,
    policy: { kind: "gru", compute: "float64" },
  },
} as const satisfies Record<string, TrainOptions>;

async function records(options: TrainOptions): Promise<TrainRecord[]> {
  const made: TrainRecord[] = [];
  for await (const record of train(options)) made.push(record);
  return made;
}

/** Trains in the page as `records` does here; its text runs there. */
async function recordsThere(site: Site, { options, relaxed }: { options: TrainOptions; relaxed: boolean }) {
  site.setUp({ relaxed });
  const turnwise = await site.load<Turnwise>("turnwise");
  const made: TrainRecord[] = [];
  for await (const record of turnwise.train(options)) made.push(record);
  return made;
}

for (const isolated of [true, false]) {
  describe(`the library in a page ${isolated ? "that is isolated" : "of any server"}`, function () {
    this.timeout(60_000);
    let site: LibraryPage;
    before(async function () {
      site = await LibraryPage.open(this, isolated);
    });
    after(() => site?.close());
    // The bits of networks depend on whether the kernels round products once, which this version of Node may not do.
    const relaxed = fusedReport().kind === "wasm relaxed";

    for (const [name, options] of Object.entries(rows)) {
      it(`trains a ${name} to the records of Node, row by row and bit by bit`, async () => {
        const there = await site.run(recordsThere, { options, relaxed });
        assert.deepEqual(plain(there), plain(await records(options)));
      });
    }

    it(`computes networks on ${isolated ? "two threads" : "one thread"} with the same bits`, async () => {
      const found = await site.run(async ({ load }) => {
        const { fusedReport } = await load<typeof import("turnwise/tensor")>("turnwise/tensor");
        return fusedReport();
      });
      assert.match(
        found.reason,
        isolated ? /^on 2 threads: compiled WebAssembly/ : /^on 1 thread: compiled WebAssembly/,
      );
      assert.equal(found.kernels, "wasm");
    });

    it("sweeps four runs on workers of the page, with progress and the rows of Node", async () => {
      const plan = {
        recipe: ["grpo", "seeUpo"],
        env: "LookUp-v0",
        updates: 3,
        seeds: 2,
        workers: 2,
      } as const;
      const there = await site.run(async ({ load }, options) => {
        const { sweep } = await load<Turnwise>("turnwise");
        const run = sweep(options);
        let reports = 0;
        run.onProgress(() => reports++);
        const { results, stopped } = await run;
        return { rows: results.map(({ key, value }) => ({ key, value })), stopped, reports };
      }, plan);
      const { results } = await sweep(plan);
      assert.equal(there.stopped, false);
      assert.ok(there.reports >= 4, String(there.reports));
      assert.deepEqual(
        there.rows,
        results.map(({ key, value }) => ({ key, value })),
      );
    });
  });
}

describe("what lessons ask of the library in a page", function () {
  this.timeout(60_000);
  let site: LibraryPage;
  before(async function () {
    site = await LibraryPage.open(this, true);
  });
  after(() => site?.close());
  after(removeTemporaryFolders);

  it("reads files of the site from the notebook's folder, and says in Node's words which are not there", async () => {
    const there = await site.run(async ({ load }) => {
      const fs = await load<typeof import("node:fs")>("node:fs");
      const { measured } = await load<typeof import("turnwise-course")>("turnwise-course");
      const failed = (run: () => unknown): string => {
        try {
          return String(run());
        } catch (error) {
          return `${(error as { code?: string }).code}: ${(error as Error).message}`;
        }
      };
      return {
        text: fs.readFileSync("../datasets/logs/ragen.jsonl", "utf8"),
        stored: measured("credit"),
        missing: failed(() => fs.readFileSync("../datasets/nothing.csv", "utf8")),
        unknown: failed(() => measured("credits")),
      };
    });
    const own = (...parts: string[]): string => readFileSync(path.join(root, "datasets", ...parts), "utf8");
    assert.equal(there.text, own("logs", "ragen.jsonl"));
    assert.equal(there.stored, own("measured", "credit.csv"));
    assert.equal(there.missing, "ENOENT: ENOENT: no such file or directory, open '../datasets/nothing.csv'");
    assert.match(there.unknown, /its name must be one of .*credit, .*got "credits"/);
  });

  it("keeps a checkpoint over a reload, and goes on from it to the records of one that was never interrupted", async () => {
    const options: TrainOptions = { env: "LookUp-v0", recipe: "grpo", updates: 4, seed: 3 };
    const first = await site.run(async ({ load }, given) => {
      const { train, saveCheckpoint } = await load<Turnwise>("turnwise");
      const run = train(given);
      for await (const { update } of run) if (update === 2) break;
      await saveCheckpoint("runs/kept", run.checkpoint());
      const fs = await load<typeof import("node:fs")>("node:fs");
      return {
        text: fs.readFileSync("runs/kept/checkpoint.json", "utf8"),
        names: fs.readdirSync("runs/kept"),
      };
    }, options);
    assert.deepEqual(first.names, ["checkpoint.json"]);
    await site.reload();
    const rest = await site.run(async ({ load }, given) => {
      const { train, loadCheckpoint } = await load<Turnwise>("turnwise");
      const made: TrainRecord[] = [];
      for await (const record of train({
        updates: given.updates,
        resume: (await loadCheckpoint("runs/kept"))!,
      }))
        made.push(record);
      return made;
    }, options);
    assert.deepEqual(plain(rest), plain(await records(options)).slice(2));
    // The same text as in Node's files.
    const run = train(options);
    for await (const { update } of run) if (update === 2) break;
    const folder = temporaryFolder();
    await saveCheckpoint(folder, run.checkpoint());
    assert.equal(first.text, readFileSync(path.join(folder, "checkpoint.json"), "utf8"));
    assert.equal(await loadCheckpoint("runs/nowhere"), undefined);
  });

  it("keeps the finished rows of a sweep that is stopped, in its file too, and goes on from there", async () => {
    const there = await site.run(async ({ load }) => {
      const { sweep, readSweep } = await load<Turnwise>("turnwise");
      const plan = {
        env: "LookUp-v0",
        recipe: "grpo",
        updates: 60,
        seeds: 6,
        workers: 1,
        file: "stopped.jsonl",
      } as const;
      const run = sweep(plan);
      for await (const _ of run) break;
      const stopped = await run;
      const kept = readSweep("stopped.jsonl").rows.length;
      const whole = await sweep(plan);
      return { stopped: stopped.stopped, results: stopped.results.length, kept, whole: whole.results.length };
    });
    assert.equal(there.stopped, true);
    assert.ok(there.results >= 1 && there.results < 6, String(there.results));
    assert.equal(there.kept, there.results);
    assert.equal(there.whole, 6);
  });

  it("trains seeds on workers with a rule and a world of a module, as cells write it, to the bits of this thread", async () => {
    const there = await site.run(async ({ load }) => {
      const code = `
        const { custom, register, make } = require("turnwise");
        exports.squared = custom("squared", (batch) => batch.return_n.map((R) => R ** 2));
        register("Mine-v0", () => make("LookUp-v0"), {});`;
      const file = "/notebooks/mine.js";
      const fs = await load<typeof import("node:fs")>("node:fs");
      fs.writeFileSync(file, code);
      const turnwise = await load<Turnwise>("turnwise");
      const exports: Record<string, unknown> = {};
      const host = globalThis as unknown as Record<symbol, unknown>;
      host[Symbol.for("turnwise.loading")] = file;
      new Function("exports", "require", code)(exports, () => turnwise);
      host[Symbol.for("turnwise.loading")] = undefined;
      host[Symbol.for("turnwise.modules")] = new Map([[file, exports]]);
      const recipe = turnwise.recipe("rloo", { advantage: exports["squared"] as never });
      const setting = { env: "Mine-v0", recipe, updates: 3 } as never;
      const [spread, here] = [
        await turnwise.trainSeeds(setting, 3, { workers: 2, bar: false }),
        await turnwise.trainSeeds(setting, 3, { workers: 1, bar: false }),
      ];
      return [spread.runs, here.runs];
    });
    const [spread, here] = there.map((runs) => runs.map(plain));
    assert.deepEqual(spread, here);
    assert.equal(spread!.length, 3);
  });

  it("draws a picture, a data frame, and a custom loss by TensorFlow.js", async () => {
    const there = await site.run(async ({ load }) => {
      const turnwise = await load<Turnwise>("turnwise");
      const fs = await load<typeof import("node:fs")>("node:fs");
      const chart = turnwise.lineChart(
        { a: [{ x: 1, y: 2 }] },
        { title: "One point", xTitle: "x", yTitle: "y" },
      );
      await chart.save("one.png");
      await chart.save("one.svg");
      const frame = await turnwise.toDataFrame([{ update: 1, metrics: { "reward/mean": 0.5 } }] as never);
      const { backendReport, loadBackend } = await load<typeof import("turnwise/tensor")>("turnwise/tensor");
      await loadBackend();
      return {
        png: [...(fs.readFileSync("one.png") as Uint8Array).slice(1, 4)],
        svg: fs.readFileSync("one.svg", "utf8"),
        columns: frame.columns,
        name: frame.constructor.name,
        sum: turnwise.tf.sum(turnwise.tf.tensor1d([1, 2, 3.5])).dataSync()[0],
        backends: backendReport().attempts.map(({ name, loaded, reason }) => ({ name, loaded, reason })),
        refused: await chart.save("one.pdf").catch((error: Error) => error.message),
      };
    });
    assert.equal(String.fromCharCode(...there.png), "PNG");
    assert.match(there.svg, /^<svg[^]*One point/);
    assert.deepEqual(there.columns, ["update", "reward/mean"]);
    assert.equal(there.name, "DataFrame");
    assert.equal(there.sum, 6.5);
    assert.deepEqual(there.backends.at(-1), {
      name: "cpu",
      loaded: true,
      reason: "pure JavaScript, always present",
    });
    assert.equal(there.backends[0]!.reason, "a browser loads no native addon");
    assert.match(there.backends[1]!.reason, /WebGPU/);
    assert.equal(
      there.refused,
      "Cannot save a chart as .pdf: that needs Node.js. In a browser, save it as .svg or .png.",
    );
  });

  it("asks the page in its loops whether to stop, and stops there in the middle of a call that never waits", async () => {
    const there = await site.run(async ({ load }) => {
      const { checkRule, recipe } = await load<Turnwise>("turnwise");
      const host = globalThis as unknown as Record<symbol, { run: () => void }>;
      const marks = host[Symbol.for("turnwise.marks")]!;
      const { run } = marks;
      let calls = 0;
      marks.run = () => {
        if (++calls === 50) throw new Error("stopped by the page");
      };
      try {
        return String(checkRule(recipe("grpo")));
      } catch (error) {
        return `${(error as Error).message} after ${calls}`;
      } finally {
        marks.run = run;
      }
    });
    assert.equal(there, "stopped by the page after 50");
  });

  it("computes networks on workers in the kind of kernels that the page asks for, to the bits of this thread", async () => {
    // A thread that has computed once keeps its kind of kernels.
    await site.reload();
    const there = await site.run(async ({ load, setUp }) => {
      const { trainSeeds } = await load<Turnwise>("turnwise");
      setUp({ relaxed: false });
      const policy = { kind: "gru", compute: "wasm" } as const;
      const setting = { env: "LookUp-v0", recipe: "grpo", updates: 2, policy } as const;
      const spread = await trainSeeds(setting, 2, { workers: 2, bar: false });
      const here = await trainSeeds(setting, 2, { workers: 1, bar: false });
      return { spread: spread.runs, here: here.runs };
    });
    assert.deepEqual(there.spread.map(plain), there.here.map(plain));
    for (const { compute } of there.spread.flat()) assert.equal(compute, "wasm");
  });

  it("trains seeds as Node does", async () => {
    const setting = { env: "LookUp-v0", recipe: "grpo", updates: 3 } as const;
    const there = await site.run(async ({ load }, options) => {
      const { trainSeeds } = await load<Turnwise>("turnwise");
      return (await trainSeeds(options, 2, { workers: 2, bar: false })).runs;
    }, setting);
    const { runs } = await trainSeeds(setting, 2, { workers: 1, bar: false });
    assert.deepEqual(there.map(plain), runs.map(plain));
  });
});
