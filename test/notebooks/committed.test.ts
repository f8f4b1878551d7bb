import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { findNotebooks } from "turnwise-kernel/dist/cli/run.js";
import { executeNotebook } from "turnwise-kernel/dist/runner/execute.js";
import { normalise } from "turnwise-kernel/dist/runner/normalise.js";
import { readNotebook, stringifyNotebook } from "turnwise-kernel/dist/runner/notebook.js";
import { notebookProblems } from "turnwise-kernel/dist/runner/validate.js";
import { root } from "../support/paths.js";

const folder = path.join(root, "notebooks");
const budgetMs = 180_000;
const notebooks = fs.existsSync(folder) ? findNotebooks([folder]) : [];

describe("the committed notebooks", function () {
  this.slow(60_000);

  for (const { file, name } of notebooks) {
    describe(name, () => {
      const notebook = readNotebook(file);

      it("is valid by the rules of notebook format 4.5", () => {
        assert.deepEqual(notebookProblems(notebook), []);
      });

      it("is stored as `npm run notebooks -- --write` leaves it", () => {
        const language = notebook.metadata.language_info as Record<string, unknown> | undefined;
        assert.equal(fs.readFileSync(file, "utf8"), stringifyNotebook(normalise(notebook, language)));
      });

      // Exercises fail until they are done; exercises.test.ts runs stubs and solutions.
      if (name.startsWith("exercises")) return;

      it("runs from top to bottom without an error within its time", async function () {
        this.timeout(budgetMs + 30_000);
        const { failures } = await executeNotebook(notebook, { cwd: path.dirname(file), budgetMs });
        assert.deepEqual(failures, []);
      });
    });
  }
});
