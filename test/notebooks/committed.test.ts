// Uses internals of turnwise-kernel/runner.
import assert from "node:assert/strict";
import fs from "node:fs";
import type { MimeBundle } from "turnwise-kernel";
import { normalize } from "turnwise-kernel/dist/runner/normalize.js";
import { readNotebook, stringifyNotebook, type Cell } from "turnwise-kernel/dist/runner/notebook.js";
import { pictureMime, withPictures } from "turnwise-kernel/dist/runner/pictures.js";
import { notebookProblems } from "turnwise-kernel/dist/runner/validate.js";
import { isAppendix, isLesson, notebooks } from "./committedNotebooks.js";

describe("the committed notebooks", function () {
  it("are lessons, appendices, exercises and solutions", () => {
    assert.ok(notebooks.filter(isLesson).length >= 12);
    assert.ok(notebooks.filter(isAppendix).length >= 10);
    const others = notebooks.filter((one) => !isLesson(one) && !isAppendix(one));
    for (const { name } of others) assert.match(name, /^(exercises|solutions)\b/);
  });

  for (const { file, name } of notebooks) {
    describe(name, () => {
      const notebook = readNotebook(file);

      it("is valid by the rules of notebook format 4.5", () => {
        assert.deepEqual(notebookProblems(notebook), []);
      });

      it("is stored as `npm run notebooks -- --write` leaves it", () => {
        const language = notebook.metadata.language_info as Record<string, unknown> | undefined;
        assert.equal(fs.readFileSync(file, "utf8"), stringifyNotebook(normalize(notebook, language)));
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
    });
  }
});
