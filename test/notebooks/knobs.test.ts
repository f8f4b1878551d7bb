import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { executeNotebook } from "turnwise-kernel/dist/runner/execute.js";
import { readNotebook, tagsOf, type Cell, type Notebook } from "turnwise-kernel/dist/runner/notebook.js";
import { injectParameters } from "turnwise-kernel/dist/runner/parameters.js";
import { root } from "../support/paths.js";

const folder = path.join(root, "notebooks");
const lessons = fs
  .readdirSync(folder)
  .filter((name) => /^\d\d-.*\.ipynb$/.test(name))
  .sort();

/** Lessons whose runs are stored, with the only names that a reader changes: 11 takes files of the reader's own. */
const still: Readonly<Record<string, readonly string[]>> = {
  "08-step-credit.ipynb": [],
  "11-your-own-run.ipynb": ["logFile", "rolloutFile"],
};

/** The smallest value of a knob that makes sense, by its name. */
const smallest: Readonly<Record<string, number>> = {
  updates: 7,
  seeds: 1,
  steps: 1,
  live: 1,
  groups: 1,
  groupSize: 2,
  rounds: 1,
  budget: 2,
  planned: 1,
};

/** The names that the cell tagged "parameters" declares. */
function knobsOf({ cells }: Notebook): string[] {
  const cell = cells.find((one) => tagsOf(one).includes("parameters"));
  return [...(cell?.source ?? "").matchAll(/^(?:let|const)\s+(\w+)/gm)].map(([, name]) => name!);
}

/** All text that a cell shows. */
const shown = ({ outputs = [] }: Cell): string =>
  outputs
    .map((output) => {
      if (output.output_type === "stream") return output.text;
      return "data" in output ? String(output.data["text/html"] ?? output.data["text/plain"] ?? "") : "";
    })
    .join("\n");

describe("the knobs of the lessons", function () {
  this.timeout(240_000);
  this.slow(60_000);

  for (const name of lessons) {
    const notebook = readNotebook(path.join(folder, name));
    const files = still[name];
    if (files) {
      it(`${name} trains nothing; its knobs: ${files.join(", ") || "none"}`, () =>
        assert.deepEqual(knobsOf(notebook), files));
      continue;
    }
    const knobs = knobsOf(notebook).filter((knob) => knob in smallest);
    const values = Object.fromEntries(knobs.map((knob) => [knob, smallest[knob]!]));
    const told = knobs.map((knob) => `${knob} = ${String(values[knob])}`).join(", ");

    it(`${name} runs with ${told}, and decides nothing on fewer than five seeds`, async () => {
      assert.ok(knobs.length > 0, 'a cell tagged "parameters" must declare one of the names above');
      const before = new Set(fs.readdirSync(folder));
      const changed = injectParameters(notebook, values);
      const result = await executeNotebook(changed, { cwd: folder, budgetMs: 180_000 });
      for (const one of fs.readdirSync(folder)) if (!before.has(one)) fs.rmSync(path.join(folder, one));
      assert.deepEqual(result.failures, []);
      // What a lesson takes from the stored runs was decided on all of these.
      const live = result.notebook.cells.filter(
        ({ cell_type, source }) => cell_type === "code" && !/\bclaims\.\w+/.test(source),
      );
      for (const cell of live)
        assert.doesNotMatch(shown(cell), /\b(?:holds|refuted|no effect that matters)\b/, cell.source);
    });
  }
});
