// Uses internals of turnwise-kernel/runner.
import assert from "node:assert/strict";
import path from "node:path";
import { readNotebook } from "turnwise-kernel/dist/runner/notebook.js";
import { patient } from "../support/patient.js";
import { budgetMs, folder } from "./committedNotebooks.js";
import { itRunsSmall, knobsOf, still } from "./knobs.js";
import { sharedKernel } from "./sharedKernel.js";

describe("the knobs of the lessons", function () {
  this.timeout(patient(budgetMs) + 60_000);
  this.slow(20_000);
  const kernel = sharedKernel({ cwd: folder });

  for (const [name, files] of Object.entries(still)) {
    it(`${name} trains nothing; its knobs: ${files.join(", ") || "none"}`, () =>
      assert.deepEqual(knobsOf(readNotebook(path.join(folder, name))), files));
  }

  // The other lessons run in knobs.slow.test.ts.
  itRunsSmall("00-start-here.ipynb", kernel);
});
