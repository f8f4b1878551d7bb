import assert from "node:assert/strict";
import { join } from "node:path";
import type { ExecuteResult } from "turnwise-kernel";
import { importIn, interruptedIn } from "./interrupted.js";
import { plain, repository, resultText, sharedKernel, streamText } from "./with-kernel.js";

describe("long work:", function () {
  this.timeout(180_000);
  const kernel = sharedKernel();
  importIn(kernel, "learningCurve", "liveCurve", "readRecords", "sweep", "sweepTable", "trainSeeds");

  describe("a sweep in a cell", () => {
    const jobs = JSON.stringify(join(repository, "build/test/lib/sweep/jobs.js"));

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
  });

  describe("trainSeeds() in a cell", () => {
    const long = '{ env: "LookUp-v0", recipe: "grpo", updates: 200000, groups: 1, groupSize: 2 }';

    const interrupted = (code: string): Promise<ExecuteResult> => interruptedIn(kernel(), code);

    it("is a story of nine lines: twenty seeds on two workers, interrupted, resumed, drawn with bands, saved", async () => {
      const setting = `const setting = { env: "LookUp-v0", recipe: "grpo", updates: 60, groups: 2, groupSize: 4 } as const;`;
      // Where the fourth seed has begun, a worker has finished another.
      const story = await interrupted(
        `${setting}
       const chart = liveCurve({ metric: "reward/mean", optimum: 1 });
       const some = await trainSeeds(setting, 20, { workers: 2, chart, onRecord: ({ update }, seed) => {
         if (update === 1 && seed === 3) console.log("working");
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
      // 20 seeds of 60 updates.
      assert.equal(resultText(rest), `[ ${20 - done}, 20, 1200, true ]`, plain(rest.error?.traceback));
    });

    it("ends its workers also where a cell awaits several training runs at once", async () => {
      await interrupted(
        `let heard = 0;
       const loud = { workers: 2, bar: false, onRecord: () => { if (++heard === 1) console.log("working"); } };
       const both = [trainSeeds(${long}, 2, loud), trainSeeds(${long}, 2, loud)];
       await Promise.all(both);`,
      );
      // Each is over once its workers have ended: a worker that goes on would be heard.
      const after = await kernel().execute(
        `await Promise.allSettled(both);
       const before = heard;
       await new Promise((resolve) => setTimeout(resolve, 200));
       [before > 0, heard - before]`,
      );
      assert.equal(resultText(after), "[ true, 0 ]", plain(after.error?.traceback));
    });

    it("takes its bar away once all seeds are there", async () => {
      const setting = '{ env: "LookUp-v0", recipe: "grpo", updates: 10, groups: 1, groupSize: 2 }';
      const seen: string[] = [];
      // The first record takes longer than the work that goes without a bar: as slow as that, 29 more would take half a minute.
      const result = await kernel().execute(
        `let held = false;
       const bars = await trainSeeds(${setting}, 3, { workers: 0, onRecord: () => {
         if (!held) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_100);
         held = true;
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
      let [printed, displayed] = [false, 0];
      const result = await interruptedIn(
        kernel(),
        `const seen = new Set<number>();
       const runs = await trainSeeds(${long}, 2, { workers: 2, chart: liveCurve({ metric: "reward/mean" }), onRecord: (_, seed) => {
         if (seen.size < 2 && seen.add(seed).size === 2) console.log("working");
       } });`,
        // Both seeds have records, and both chart and bar are there.
        ({ header }) => {
          if (header.msg_type === "stream") printed = true;
          if (header.msg_type === "display_data") displayed++;
          return printed && displayed === 2;
        },
      );
      const shown = result.outputs.flatMap((output) =>
        output.output_type === "display_data" ? [output.data] : [],
      );
      assert.equal(shown.length, 2);
      assert.match(JSON.stringify(shown[0]), /grpo: 2 seeds so far/);
      assert.match(String(shown[1]!["text/plain"]), /^grpo: 0 of 2 seeds .*\/400000 .*\/s/);
    });
  });
});
