// Uses internals of turnwise-kernel/runner.
import fs from "node:fs";
import path from "node:path";
import { solutions } from "../support/courseFiles.js";
import type { KernelClient, StartOptions } from "turnwise-kernel";
import type { NbformatOutput } from "turnwise-kernel";
import { ledgerMime } from "turnwise/plot";
import { executeNotebook } from "turnwise-kernel/dist/runner/execute.js";
import { readNotebook, type Notebook } from "turnwise-kernel/dist/runner/notebook.js";
import { root } from "../support/paths.js";

type Start = (o: StartOptions) => Promise<KernelClient>;

/** A notebook that has run. */
export interface Ran {
  readonly notebook: Notebook;
  readonly failures: readonly string[];
  readonly seconds: number;
}

const folder = path.join(root, "notebooks");

/** A notebook of the course by its name, such as `appendix/00-start-here`. */
export const lesson = (name: string): Notebook => readNotebook(path.join(folder, `${name}.ipynb`));

/** The solution of an exercise by its name, such as `00-one-knob`. */
export const solution = (name: string): Notebook => readNotebook(solutions.get(name)!);

/** The names of the notebooks in a folder of the course. */
export const lessonsIn = (below: string): string[] =>
  fs
    .readdirSync(path.join(folder, below))
    .filter((name) => name.endsWith(".ipynb"))
    .map((name) => path.posix.join(below, path.basename(name, ".ipynb")))
    .sort();

/** Runs a notebook of the course from top to bottom, unedited, by a kernel of the site. */
export function runInPage(name: string, budgetMs: number, start: Start): Promise<Ran> {
  return executeNotebook(lesson(name), { cwd: folderOf(name), budgetMs, start });
}

/** The same on Node. */
export async function runOnNode(name: string, budgetMs: number): Promise<Ran> {
  const cwd = folderOf(name);
  const before = new Set(fs.readdirSync(cwd));
  const ran = await executeNotebook(lesson(name), { cwd, budgetMs });
  // What its cells have written beside it; files of a reader who ran it before stay.
  for (const one of fs.readdirSync(cwd)) if (!before.has(one)) fs.rmSync(path.join(cwd, one));
  return ran;
}

const folderOf = (name: string): string => path.dirname(path.join(folder, name));

/** The rows of every ledger that a notebook shows, from top to bottom. */
export const ledgerRows = ({ cells }: Notebook): unknown[] =>
  cells
    .flatMap(({ outputs = [] }) => outputs)
    .flatMap((output) =>
      "data" in output && ledgerMime in output.data ? (output.data[ledgerMime] as unknown as unknown[]) : [],
    );

/** What a cell shows, without what is drawn for the eye alone: texts, figures, charts and ledgers. */
export function shown(outputs: readonly NbformatOutput[]): unknown[] {
  return outputs.flatMap((output): unknown[] => {
    if (output.output_type === "stream") return [[output.name, output.text]];
    if (!("data" in output)) return [[output.ename, output.evalue]];
    // The bar of work that is done is empty, and short work has none.
    return Object.entries(output.data).filter(([type, value]) => kept.test(type) && value !== "");
  });
}

/** As text, in which no figure depends on how fast the machine is. */
export const timeless = (shown: unknown): string =>
  JSON.stringify(shown)
    // A short run has no pace.
    .replace(/(, )?[\d.,]+ updates\/s/g, "")
    .replace(/[\d.,]+\/s +[\d. a-z]+ taken/g, "taken");

const kept = /^(text\/plain|application\/vnd\.(vegalite|turnwise).*)$/;

/** The ids of the cells that do not show the same in two runs. */
export function differing(a: Notebook, b: Notebook): string[] {
  return a.cells
    .filter(({ outputs = [] }, i) => {
      const other = b.cells[i]?.outputs ?? [];
      return timeless(shown(outputs)) !== timeless(shown(other));
    })
    .map(({ id }) => id ?? "?");
}

/** Runs cells one after another in a kernel, whether they fail or not; gives what each shows and its error. */
export async function runCells(kernel: KernelClient, sources: readonly string[]): Promise<unknown[][]> {
  const given: unknown[][] = [];
  for (const source of sources) {
    const { status, error, outputs } = await kernel.execute(source, { stopOnError: false });
    given.push([status, error?.evalue, ...shown(outputs)]);
  }
  return given;
}

/** The sources of a notebook's code cells. */
export const codeOf = ({ cells }: Notebook): string[] =>
  cells.filter(({ cell_type }) => cell_type === "code").map(({ source }) => source);

/** A playground that trains to its end, with a slider that moves on the way, and what it has recorded but the clock. */
export const playgroundCells = [
  ...codeOf(lesson("00-start-here")).filter((source) => /^playground\(/m.test(source)),
  `import { playground } from "turnwise";
const played = playground({
  start: { env: "LookUp-v0", recipe: "grpo" },
  changes: [{ after: 20, learningRate: 1 }],
  updates: 60,
});
await played.run();
console.log(played.code);
for (const { seconds, ...record } of played.records) console.log(JSON.stringify(record));`,
];
