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
