// Uses internals of turnwise-kernel/runner.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { executeNotebook } from "turnwise-kernel/dist/runner/execute.js";
import { readNotebook } from "turnwise-kernel/dist/runner/notebook.js";
import { otherNodes } from "../support/otherNodes.js";
import { patient } from "../support/patient.js";
import { budgetMs, isLesson, notebooks } from "./committedNotebooks.js";
import { ledgersOf } from "./storedLedger.js";

/** Lab and committed.slow.test.ts run the lessons on the Node of the tests; here they run on the newest, where it is installed. */
const newest = otherNodes.at(-1);
const kernelArgv =
  newest && fs.existsSync(newest.program)
    ? [newest.program, require.resolve("turnwise-kernel/dist/front/main.js"), "{connection_file}"]
    : undefined;

describe("the committed notebooks, each in a kernel of its own, on the newest Node", function () {
  this.timeout(patient(budgetMs) + 60_000);
  this.slow(60_000);

  for (const { file, name } of notebooks) {
    // Exercises fail until they are done; exercises.test.ts runs stubs and solutions.
    if (name.startsWith("exercises")) continue;

    const ledger = isLesson({ name }) ? ", and its ledger says what is stored" : "";
    it(`${name} runs from top to bottom without an error${ledger}`, async () => {
      const stored = readNotebook(file);
      const cwd = path.dirname(file);
      const before = new Set(fs.readdirSync(cwd));
      const { failures, notebook } = await executeNotebook(stored, {
        cwd,
        budgetMs: patient(budgetMs),
        kernelArgv,
      });
      // What its cells have written beside it; files of a reader who ran it before stay.
      for (const one of fs.readdirSync(cwd)) if (!before.has(one)) fs.rmSync(path.join(cwd, one));
      assert.deepEqual(failures, []);
      if (ledger !== "") assert.deepEqual(ledgersOf(notebook), ledgersOf(stored));
    });
  }
});
