import assert from "node:assert/strict";
import { join } from "node:path";
import { plain, repository, resultText, sharedKernel, streamText } from "./with-kernel.js";

describe("a sweep in a cell", function () {
  this.timeout(180_000);
  const kernel = sharedKernel();
  const jobs = JSON.stringify(join(repository, "build/test/lib/sweep/jobs.js"));

  before(async () => {
    const imported = await kernel().execute('import { sweep, sweepTable } from "turnwise";');
    assert.equal(imported.status, "ok", plain(imported.error?.traceback));
  });

  /** Interrupts a cell as soon as one of its jobs has told of its progress. */
  async function interrupted(code: string): Promise<void> {
    let heard: () => void = () => undefined;
    const working = new Promise<void>((resolve) => (heard = resolve));
    const cell = kernel().execute(
      `const run = sweep({ task: { module: ${jobs}, export: "endless" }, grid: {}, seeds: 3, workers: 2 });
       run.onProgress(() => console.log("working"));
       ${code}`,
      { onMessage: ({ header }) => header.msg_type === "stream" && heard() },
    );
    await Promise.race([working, cell]);
    await kernel().interrupt();
    const result = await cell;
    assert.equal(result.error?.ename, "KernelInterrupt", plain(result.error?.traceback));
    const after = await kernel().execute("const { stopped, results } = await run; [stopped, results.length]");
    assert.equal(resultText(after), "[ true, 0 ]", plain(after.error?.traceback));
  }

  it("ends its threads when the cell that awaits it is interrupted", () => interrupted("await run"));

  it("ends its threads when the cell that iterates over it is interrupted", () =>
    interrupted("for await (const { key } of run) console.log(key)"));

  it("lets a listener that never returns be interrupted: its sweep has stopped, and another one runs", async () => {
    const code = `let calls = 0;
       const draws = { task: { module: ${jobs}, export: "draw" }, grid: {}, seeds: 6, workers: 2 };
       const heard = sweep(draws);
       heard.onProgress(() => {
         if (++calls > 1) return;
         console.log("listening");
         for (;;);
       });
       await heard;`;
    let heard: () => void = () => undefined;
    const listening = new Promise<void>((resolve) => (heard = resolve));
    const cell = kernel().execute(code, {
      onMessage: ({ header }) => header.msg_type === "stream" && heard(),
    });
    await Promise.race([listening, cell]);
    await kernel().interrupt();
    await cell;
    const after = await kernel().execute("[(await heard).stopped, (await sweep(draws)).results.length]");
    assert.equal(resultText(after), "[ true, 6 ]", plain(after.error?.traceback));
  });

  it("trains over threads and shows its table", async () => {
    const result = await kernel().execute(
      `const trained = sweep({ recipe: ["grpo", "rloo"], env: "LookUp-v0", updates: 2, seeds: 2, workers: 2, metric: "reward/mean" });
       display(sweepTable(trained));
       console.log((await trained).results.length);`,
    );
    assert.equal(result.status, "ok", plain(result.error?.traceback));
    assert.equal(streamText(result), "4\n");
    // The table's last state may come after the reply: a new cell's display shows it for certain.
    const shown = await kernel().execute("sweepTable(trained)");
    assert.match(resultText(shown)!, /^4 of 4 jobs, finished\nrecipe=grpo +2\/2 +done/);
  });
});

describe("trainSeeds() in a cell", function () {
  this.timeout(180_000);
  const kernel = sharedKernel();
  const long = '{ env: "LookUp-v0", recipe: "grpo", updates: 200000, groups: 1, groupSize: 2 }';

  before(async () => {
    const imported = await kernel().execute(
      'import { learningCurve, liveCurve, readRecords, trainSeeds } from "turnwise";',
    );
    assert.equal(imported.status, "ok", plain(imported.error?.traceback));
  });

  async function interrupted(code: string): ReturnType<ReturnType<typeof kernel>["execute"]> {
    let heard: () => void = () => undefined;
    const working = new Promise<void>((resolve) => (heard = resolve));
    const cell = kernel().execute(code, {
      onMessage: ({ header }) => header.msg_type === "stream" && heard(),
    });
    await Promise.race([working, cell]);
    await kernel().interrupt();
    const result = await cell;
    assert.equal(result.error?.ename, "KernelInterrupt", plain(result.error?.traceback));
    return result;
  }

  const ways: readonly [string, string][] = [
    ["in the notebook's own thread", "workers: 0"],
    ["on workers", "workers: 2"],
  ];
  for (const [where, how] of ways) {
    it(`gives the finished seeds when its cell is interrupted ${where}, says how many, and goes on with the others`, async () => {
      // A short run makes the finished seeds; the long one is interrupted as soon as it has made records of a missing one.
      const result = await interrupted(
        `const begun = await trainSeeds({ ...${long}, updates: 3 }, 2);
         let heard = false;
         const before = { label: "grpo", seeds: [0, 1], runs: begun.runs.map((run) => [...run.slice(0, -1), { ...run.at(-1)!, update: 200000 }]) };
         const kept = await trainSeeds(${long}, 4, { ${how}, resume: before, onRecord: () => {
           if (!heard) console.log("working");
           heard = true;
         } });
         for (;;) console.log("never");`,
      );
      assert.doesNotMatch(streamText(result), /never/);
      assert.match(streamText(result, "stderr"), /Interrupted: 2 of 4 seeds are finished and kept/);
      const after = await kernel().execute(
        "[kept.seeds, [2, 3].includes(kept.unfinished[0].seed), kept.unfinished[0].records.length > 0]",
      );
      assert.equal(resultText(after), "[ [ 0, 1 ], true, true ]", plain(after.error?.traceback));
    });
  }

  it("is interrupted as a cell is that ends with it, so that the cells behind it do not run", async () => {
    await interrupted(
      `const last = await trainSeeds(${long}, 2, { onRecord: (r) => { if (r.update === 1) console.log("working"); } });`,
    );
    const after = await kernel().execute("String(last)");
    assert.equal(resultText(after), "'grpo: 0 of 2 seeds'", plain(after.error?.traceback));
  });

  it("is a story of nine lines: twenty seeds on two workers, interrupted, resumed, drawn with bands, saved", async () => {
    const setting = `const setting = { env: "LookUp-v0", recipe: "grpo", updates: 150, groups: 2, groupSize: 4 } as const;`;
    const story = await interrupted(
      `${setting}
       const chart = liveCurve({ metric: "reward/mean", optimum: 1 });
       const some = await trainSeeds(setting, 20, { workers: 2, chart, onRecord: ({ update }, seed) => {
         if (update === 150 && seed === 3) console.log("working");
       } });`,
    );
    const done = Number(/: (\d+) of 20 seeds are finished/.exec(streamText(story, "stderr"))![1]);
    assert.ok(done >= 1 && done < 20, String(done));
    const rest = await kernel().execute(
      `let trained = new Set<number>();
       const all = await trainSeeds(setting, 20, { workers: 2, resume: some, onRecord: (_, seed) => trained.add(seed) });
       const folder = require("node:fs").mkdtempSync(require("node:os").tmpdir() + "/turnwise-story-");
       await learningCurve(all, { metric: "reward/mean", optimum: 1 }).save(folder + "/seeds.svg");
       await all.save(folder + "/seeds.csv");
       const again = await readRecords(folder + "/seeds.csv");
       const svg = require("node:fs").readFileSync(folder + "/seeds.svg", "utf8");
       require("node:fs").rmSync(folder, { recursive: true });
       [trained.size, all.seeds.length, again.length, /fill-opacity="0.2"|opacity="0.2"/.test(svg)]`,
    );
    assert.equal(resultText(rest), `[ ${20 - done}, 20, 3000, true ]`, plain(rest.error?.traceback));
  });

  it("ends its workers also where a cell awaits several trainings at once", async () => {
    await interrupted(
      `let heard = 0;
       const loud = { workers: 2, bar: false, onRecord: () => { if (++heard === 1) console.log("working"); } };
       await Promise.all([trainSeeds(${long}, 2, loud), trainSeeds(${long}, 2, loud)]);`,
    );
    const after = await kernel().execute(
      `await new Promise((resolve) => setTimeout(resolve, 500));
       const before = heard;
       await new Promise((resolve) => setTimeout(resolve, 1000));
       [before > 0, heard - before]`,
    );
    assert.equal(resultText(after), "[ true, 0 ]", plain(after.error?.traceback));
  });

  it("takes its bar away once all seeds are there", async () => {
    const slow = '{ env: "LookUp-v0", recipe: "grpo", updates: 100, groups: 4, groupSize: 4 }';
    const seen: string[] = [];
    const result = await kernel().execute(
      `const bars = await trainSeeds(${slow}, 3, { workers: 0, onRecord: (_, seed) => {
         const end = Date.now() + 12;
         while (Date.now() < end);
       } });`,
      {
        onMessage: ({ header, content }) => {
          const { data } = content as { data?: Record<string, string> };
          if (/display_data$/.test(header.msg_type)) seen.push(String(data?.["text/plain"]));
        },
      },
    );
    assert.equal(result.status, "ok", plain(result.error?.traceback));
    assert.match(seen[0]!, /^grpo: 0 of 3 seeds/);
    assert.equal(seen.at(-1), "");
  });

  it("shows a chart whose band grows, and a bar once the work is known to take long", async () => {
    const result = await interrupted(
      `const runs = await trainSeeds(${long}, 2, { workers: 2, chart: liveCurve({ metric: "reward/mean" }), onRecord: (r) => {
         if (r.seconds > 1.5) console.log("working");
       } });`,
    );
    const shown = result.outputs.flatMap((output) =>
      output.output_type === "display_data" ? [output.data] : [],
    );
    assert.equal(shown.length, 2);
    assert.match(JSON.stringify(shown[0]), /grpo: 2 seeds so far/);
    assert.match(String(shown[1]!["text/plain"]), /^grpo: 0 of 2 seeds .*\/400000 .*\/s/);
  });
});
