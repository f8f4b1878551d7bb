// Uses internals of turnwise-kernel/runner.
import assert from "node:assert/strict";
import path from "node:path";
import { readNotebook } from "turnwise-kernel/dist/runner/notebook.js";
import { patient } from "../support/patient.js";
import { budgetMs, folder, isAppendix, isLesson, notebooks } from "./committedNotebooks.js";
import { sharedKernel } from "./sharedKernel.js";
import { ledgersOf } from "./storedLedger.js";

/** Appendices that train nothing; the others, and all notebooks on the newest Node, run in committed.matrix.test.ts. */
const quick = ["08-step-credit", "09-search-and-world-models"];

/** Lessons that another slow test runs from top to bottom: browser/startHere as they are, knobs with few seeds and updates. */
const elsewhere = ["00-start-here", "01-grpo-from-scratch", "07-reward-signal"];

describe("the committed notebooks", function () {
  this.timeout(patient(budgetMs) + 60_000);
  this.slow(60_000);

  const appendices = notebooks.filter(
    (one) => isAppendix(one) && quick.includes(path.basename(one.file, ".ipynb")),
  );
  const lessons = notebooks.filter(
    (one) => isLesson(one) && !elsewhere.includes(path.basename(one.file, ".ipynb")),
  );
  for (const some of [lessons, appendices]) {
    describe(some === appendices ? "in the appendix" : "of the lessons", () => {
      const kernel = sharedKernel({ cwd: some === appendices ? path.join(folder, "appendix") : folder });

      for (const { file, name } of some) {
        it(`${name} runs from top to bottom without an error, and its ledger says what is stored`, async () => {
          const stored = readNotebook(file);
          const { failures, notebook } = await kernel.run(stored, { budgetMs });
          assert.deepEqual(failures, []);
          assert.deepEqual(ledgersOf(notebook), ledgersOf(stored));
        });
      }
    });
  }
});
