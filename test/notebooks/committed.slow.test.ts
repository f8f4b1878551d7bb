import assert from "node:assert/strict";
import { readNotebook } from "turnwise-kernel/dist/runner/notebook.js";
import { patient } from "../support/patient.js";
import { budgetMs, folder, isLesson, notebooks } from "./committedNotebooks.js";
import { sharedKernel } from "./sharedKernel.js";

// Appendices, and all notebooks on the newest Node, run in committed.matrix.test.ts; solutions in exercises.slow.test.ts.
describe("the committed lessons", function () {
  this.timeout(patient(budgetMs) + 60_000);
  this.slow(60_000);
  const kernel = sharedKernel({ cwd: folder });

  for (const { file, name } of notebooks.filter(isLesson)) {
    it(`${name} runs from top to bottom without an error`, async () => {
      const { failures } = await kernel.run(readNotebook(file), { budgetMs });
      assert.deepEqual(failures, []);
    });
  }
});
