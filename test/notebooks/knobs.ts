// Uses internals of turnwise-kernel/runner.
import assert from "node:assert/strict";
import path from "node:path";
import { readNotebook, tagsOf, type Cell, type Notebook } from "turnwise-kernel/dist/runner/notebook.js";
import { injectParameters } from "turnwise-kernel/dist/runner/parameters.js";
import { budgetMs, folder, isLesson, notebooks } from "./committedNotebooks.js";
import type { SharedKernel } from "./sharedKernel.js";

export const lessons: readonly string[] = notebooks.filter(isLesson).map(({ file }) => path.basename(file));

/** Lessons whose runs are stored, with the only names that a reader changes: 11 takes files of the reader's own. */
export const still: Readonly<Record<string, readonly string[]>> = {
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
export function knobsOf({ cells }: Notebook): string[] {
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

/** Declares the test that a lesson runs with its smallest knobs; `more` looks at what it shows then. */
export function itRunsSmall(name: string, kernel: SharedKernel, more?: (executed: Notebook) => void): void {
  const notebook = readNotebook(path.join(folder, name));
  const knobs = knobsOf(notebook).filter((knob) => knob in smallest);
  const values = Object.fromEntries(knobs.map((knob) => [knob, smallest[knob]!]));
  const told = knobs.map((knob) => `${knob} = ${String(values[knob])}`).join(", ");

  it(`${name} runs with ${told}, and decides nothing on fewer than five seeds`, async () => {
    assert.ok(knobs.length > 0, 'a cell tagged "parameters" must declare one of the names above');
    const result = await kernel.run(injectParameters(notebook, values), { budgetMs });
    assert.deepEqual(result.failures, []);
    // What a lesson takes from the stored runs was decided on all of these.
    const live = result.notebook.cells.filter(
      ({ cell_type, source }) => cell_type === "code" && !/\bclaims\.\w+/.test(source),
    );
    for (const cell of live)
      assert.doesNotMatch(shown(cell), /\b(?:holds|refuted|no effect that matters)\b/, cell.source);
    more?.(result.notebook);
  });
}
