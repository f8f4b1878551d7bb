import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import type { MimeBundle } from "turnwise-kernel/dist/protocol/message.js";
import { findNotebooks } from "turnwise-kernel/dist/cli/notebook-files.js";
import { executeNotebook } from "turnwise-kernel/dist/runner/execute.js";
import { normalise } from "turnwise-kernel/dist/runner/normalise.js";
import { readNotebook, stringifyNotebook, type Cell } from "turnwise-kernel/dist/runner/notebook.js";
import { pictureMime, withPictures } from "turnwise-kernel/dist/runner/pictures.js";
import { notebookProblems } from "turnwise-kernel/dist/runner/validate.js";
import { otherNodes } from "../support/otherNodes.js";
import { root } from "../support/paths.js";

const folder = path.join(root, "notebooks");
const budgetMs = 180_000;

/** In Lab, test/browser/course runs the lessons on the Node of the tests; here they run on the newest, where it is installed. */
const newest = otherNodes.at(-1);
const kernelArgv =
  newest && fs.existsSync(newest.program)
    ? [newest.program, require.resolve("turnwise-kernel/dist/front/main.js"), "{connection_file}"]
    : undefined;

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

      it("states no verdict by hand", () => {
        for (const { cell_type, source } of notebook.cells) {
          const code = Array.isArray(source) ? source.join("") : source;
          if (cell_type === "code") assert.doesNotMatch(code, /\bverdict:[^,{(]*["'`]/);
        }
      });

      it("shows each of its charts as a picture where nothing draws Vega-Lite", async () => {
        const bundles = (cells: Cell[]): MimeBundle[] =>
          cells.flatMap((cell) => cell.outputs ?? []).map((output) => ("data" in output ? output.data : {}));
        const drawn = bundles((await withPictures(notebook)).cells);
        for (const [i, bundle] of bundles(notebook.cells).entries()) {
          assert.ok(
            bundle[pictureMime] === drawn[i]![pictureMime],
            `output ${String(i + 1)}, ${String(bundle["text/plain"]).slice(0, 80)}: run turnwise pictures`,
          );
        }
      });

      // Exercises fail until they are done; exercises.test.ts runs stubs and solutions.
      if (name.startsWith("exercises")) return;

      it("runs from top to bottom without an error within its time", async function () {
        this.timeout(budgetMs + 30_000);
        const cwd = path.dirname(file);
        const before = new Set(fs.readdirSync(cwd));
        const { failures } = await executeNotebook(notebook, { cwd, budgetMs, kernelArgv });
        // What its cells have written beside it; files of a reader who ran it before stay.
        for (const one of fs.readdirSync(cwd)) if (!before.has(one)) fs.rmSync(path.join(cwd, one));
        assert.deepEqual(failures, []);
      });
    });
  }
});
