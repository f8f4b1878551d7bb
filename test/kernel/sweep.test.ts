import assert from "node:assert/strict";
import { join } from "node:path";
import type { ExecuteResult } from "turnwise-kernel";
import { importIn, interruptedIn } from "./interrupted.js";
import { plain, repository, resultText, sharedKernel, streamText } from "./with-kernel.js";

describe("long work:", function () {
  this.timeout(180_000);
  const kernel = sharedKernel();
  importIn(kernel, "sweep", "sweepTable", "trainSeeds");

  describe("a sweep in a cell", () => {
    const jobs = JSON.stringify(join(repository, "build/test/lib/sweep/jobs.js"));

    /** Interrupts a cell as soon as one of its jobs has reported its progress. */
    async function interrupted(code: string): Promise<void> {
      await interruptedIn(
        kernel(),
        `const run = sweep({ task: { module: ${jobs}, export: "endless" }, grid: {}, seeds: 3, workers: 2 });
       run.onProgress(() => console.log("working"));
       ${code}`,
      );
      const after = await kernel().execute(
        "const { stopped, results } = await run; [stopped, results.length]",
      );
      assert.equal(resultText(after), "[ true, 0 ]", plain(after.error?.traceback));
    }

    it("ends its threads when the cell that awaits it is interrupted", () => interrupted("await run"));

    it("ends its threads when the cell that iterates over it is interrupted", () =>
      interrupted("for await (const { key } of run) console.log(key)"));

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

  describe("trainSeeds() in a cell", () => {
    const long = '{ env: "LookUp-v0", recipe: "grpo", updates: 200000, groups: 1, groupSize: 2 }';

    const interrupted = (code: string): Promise<ExecuteResult> => interruptedIn(kernel(), code);

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
  });
});
