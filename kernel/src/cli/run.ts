import fs from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { Complaint, step } from "../../bootstrap/steps.cjs";
import { executeNotebook, type ExecutedNotebook } from "../runner/execute.js";
import { normalise } from "../runner/normalise.js";
import { readNotebook, stringifyNotebook, upgradeNotebook, type Notebook } from "../runner/notebook.js";
import { notebookToHtml } from "../runner/page/page.js";
import { withPictures } from "../runner/pictures.js";
import { injectParameters, parseParameter, type Parameters } from "../runner/parameters.js";
import { notebookProblems } from "../runner/validate.js";

const usage = `Usage: turnwise run [paths...] [options]

Executes notebooks (default: all in notebooks/) in order, each in a fresh kernel, and writes the executed
notebook and an HTML page of it. A path is a notebook or a folder of them.

  -p, --parameter name=value  set a variable of the cell tagged "parameters" (repeatable)
  --write                     store the outputs in the notebooks themselves
  --out <folder>              where to write (default: build/notebooks)
  --budget <seconds>          longest time a notebook may take (default: 180)
`;

interface RunOptions {
  paths: string[];
  parameters: Parameters;
  write: boolean;
  out: string;
  budgetMs: number;
}

function parse(args: string[], root: string): RunOptions | undefined {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      parameter: { type: "string", short: "p", multiple: true, default: [] },
      write: { type: "boolean", default: false },
      out: { type: "string", default: path.join(root, "build", "notebooks") },
      budget: { type: "string", default: "180" },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) return undefined;
  const budget = Number(values.budget);
  if (!(budget > 0)) {
    throw new Complaint(
      `Cannot run notebooks as --budget must be a number of seconds above 0: ${values.budget}`,
    );
  }
  if (values.write && values.parameter.length > 0) {
    throw new Complaint(
      "Cannot run notebooks as --write must store the notebook's own values: -p changes them",
    );
  }
  return {
    paths: positionals.length > 0 ? positionals : [path.join(root, "notebooks")],
    parameters: Object.fromEntries(values.parameter.map(parseParameter)),
    write: values.write,
    out: path.resolve(values.out),
    budgetMs: budget * 1000,
  };
}

/** One notebook to run and the name under which its results are written. */
interface Job {
  file: string;
  name: string;
}

function notebooksIn(folder: string): string[] {
  return fs
    .readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ipynb") && !name.split(path.sep).some((part) => part.startsWith(".")))
    .sort();
}

/** The notebooks that the paths mean, in order. */
export function findNotebooks(paths: string[]): Job[] {
  const jobs = paths.flatMap((given): Job[] => {
    const file = path.resolve(given);
    if (!fs.existsSync(file)) throw new Complaint(`Cannot run notebooks as each path must exist: ${given}`);
    if (!fs.statSync(file).isDirectory()) return [{ file, name: path.basename(file) }];
    return notebooksIn(file).map((name) => ({ file: path.join(file, name), name }));
  });
  if (jobs.length === 0) {
    throw new Complaint(
      `Cannot run notebooks as there must be at least one .ipynb file: ${paths.join(", ")} has none`,
    );
  }
  return jobs;
}

function firstLine(source: string): string {
  const line =
    source
      .split("\n")
      .find((text) => text.trim() !== "")
      ?.trim() ?? "";
  return line.length > 50 ? `${line.slice(0, 49)}…` : line;
}

async function writeResults(notebook: Notebook, job: Job, out: string): Promise<string> {
  const file = path.join(out, job.name);
  const page = file.replace(/\.ipynb$/, ".html");
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, stringifyNotebook(notebook));
  fs.writeFileSync(page, await notebookToHtml(notebook, path.basename(job.name, ".ipynb")));
  return page;
}

async function runOne(job: Job, o: RunOptions): Promise<string[]> {
  let notebook: Notebook;
  try {
    notebook = upgradeNotebook(readNotebook(job.file));
  } catch (error) {
    return [`Cannot read ${job.file} as it must be JSON: ${(error as Error).message}`];
  }
  // Missing or doubled ids are mended on writing; whatever else is wrong must be corrected by hand.
  const problems = notebookProblems(notebook).filter((text) => !/^cells\[\d+\]\.id /.test(text));
  if (problems.length > 0) return problems.map((text) => `Cannot run ${job.file} as ${text}`);
  const label = job.name.replace(/\.ipynb$/, "");
  const result: ExecutedNotebook = await executeNotebook(injectParameters(notebook, o.parameters), {
    cwd: path.dirname(job.file),
    budgetMs: o.budgetMs,
    aroundCell: ({ position, total, cell }, run) =>
      step(`${label} [${String(position)}/${String(total)}] ${firstLine(cell.source)}`, run),
  });
  const executed = await withPictures(normalise(result.notebook, result.language));
  await step(`${label}: page`, async () =>
    path.relative(process.cwd(), await writeResults(executed, job, o.out)),
  );
  if (o.write && result.failures.length === 0) fs.writeFileSync(job.file, stringifyNotebook(executed));
  return result.failures;
}

/** `turnwise run`: exit code 0 when every notebook passed. */
export async function run(args: string[], root: string): Promise<number> {
  const o = parse(args, root);
  if (!o) {
    process.stdout.write(usage);
    return 0;
  }
  const jobs = findNotebooks(o.paths);
  let failed = 0;
  for (const job of jobs) {
    const failures = await runOne(job, o);
    if (failures.length > 0) failed++;
    for (const failure of failures) process.stderr.write(`${job.name}: ${failure}\n`);
  }
  process.stdout.write(`${String(jobs.length - failed)} notebooks passed, ${String(failed)} failed\n`);
  return failed === 0 ? 0 : 1;
}
