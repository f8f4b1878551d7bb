import fs from "node:fs";
import path from "node:path";
import { replaceFile } from "../../bootstrap/replace-file.cjs";
import { step } from "../../bootstrap/steps.cjs";
import { executeNotebook, type ExecutedNotebook } from "../runner/execute.js";
import { dialectOfNotebook } from "../runner/dialect.js";
import { normalize } from "../runner/normalize.js";
import { readNotebook, stringifyNotebook, upgradeNotebook, type Notebook } from "../runner/notebook.js";
import { notebookToHtml } from "../runner/page/page.js";
import { withPictures } from "../runner/pictures.js";
import { injectParameters, type Parameters } from "../runner/parameters.js";
import { notebookProblems } from "../runner/validate.js";
import type { NotebookFile } from "./notebook-files.js";

/** Options of running notebooks. */
export interface RunOptions {
  parameters: Parameters;
  /** Whether the outputs are stored in the notebooks themselves. */
  write: boolean;
  /** Whether a notebook goes on, and passes, when a cell ends in an error. */
  allowErrors: boolean;
  out: string;
  budgetMs: number;
}

function firstLine(source: string): string {
  const line =
    source
      .split("\n")
      .find((text) => text.trim() !== "")
      ?.trim() ?? "";
  return line.length > 50 ? `${line.slice(0, 49)}…` : line;
}

async function writeResults(notebook: Notebook, job: NotebookFile, out: string): Promise<string> {
  const file = path.join(out, job.name);
  const page = file.replace(/\.ipynb$/, ".html");
  fs.mkdirSync(path.dirname(file), { recursive: true });
  replaceFile(file, stringifyNotebook(notebook));
  replaceFile(page, await notebookToHtml(notebook, path.basename(job.name, ".ipynb")));
  return page;
}

interface Outcome {
  failures: string[];
  /** Errors of cells that were allowed. */
  errors: string[];
}

async function runOne(job: NotebookFile, o: RunOptions): Promise<Outcome> {
  const failed = (...failures: string[]): Outcome => ({ failures, errors: [] });
  let notebook: Notebook;
  try {
    notebook = upgradeNotebook(readNotebook(job.file));
  } catch (error) {
    return failed(`Cannot read ${job.file}: it must be JSON: ${(error as Error).message}`);
  }
  const { nbformat, nbformat_minor: minor } = (notebook ?? {}) as Partial<Notebook>;
  if (nbformat !== undefined && nbformat < 4) {
    return failed(
      `Cannot run ${job.file}: nbformat must be 4.5, got ${String(nbformat)}.${String(minor ?? 0)}. To convert it: jupyter nbconvert --to notebook --inplace ${path.basename(job.file)}`,
    );
  }
  // Missing or duplicate ids are fixed on writing; anything else must be corrected by hand.
  const problems = notebookProblems(notebook).filter((text) => !/^cells\[\d+\]\.id /.test(text));
  if (problems.length > 0) return failed(...problems.map((text) => `Cannot run ${job.file}: ${text}`));
  const label = job.name.replace(/\.ipynb$/, "");
  const result: ExecutedNotebook = await executeNotebook(injectParameters(notebook, o.parameters), {
    cwd: path.dirname(job.file),
    budgetMs: o.budgetMs,
    allowErrors: o.allowErrors,
    env: { ...process.env, ...dialectFor(notebook) },
    aroundCell: ({ position, total, cell }, run) =>
      step(`${label} [${String(position)}/${String(total)}] ${firstLine(cell.source)}`, run),
  });
  const executed = await withPictures(normalize(result.notebook, result.language));
  try {
    await step(`${label}: page`, async () =>
      path.relative(process.cwd(), await writeResults(executed, job, o.out)),
    );
    if (o.write && result.failures.length === 0) replaceFile(job.file, stringifyNotebook(executed));
  } catch (error) {
    // The other notebooks run nevertheless.
    return { ...result, failures: [...result.failures, (error as Error).message] };
  }
  return result;
}

/** Environment that stands for the notebook's own kernel: Jupyter would start the one of that name. */
function dialectFor({ metadata }: Notebook): NodeJS.ProcessEnv {
  const dialect = dialectOfNotebook(metadata);
  return dialect === undefined ? {} : { TURNWISE_DIALECT: dialect };
}

/** Runs notebooks one after the other and prints failures on stderr; returns how many notebooks failed, and cells were allowed to. */
export async function runNotebooks(
  files: readonly NotebookFile[],
  o: RunOptions,
): Promise<{ failed: number; errors: number }> {
  let failed = 0;
  let allowed = 0;
  for (const file of files) {
    const { failures, errors } = await runOne(file, o);
    if (failures.length > 0) failed++;
    allowed += errors.length;
    for (const text of [...errors, ...failures]) process.stderr.write(`${file.name}: ${text}\n`);
  }
  return { failed, errors: allowed };
}
