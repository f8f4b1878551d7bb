import { createRequire } from "node:module";
import path from "node:path";
import { didYouMean } from "../base/suggest";
import type { JobContext, JobFunction } from "./job";
import { toLine } from "./json";
import { compiledFiles, findFile, isTypeScript } from "./modules/compile";
import { loadModule, type ModuleFiles } from "./modules/load";
import { notebookModules, type Namespace } from "./modules/notebook";
import { trainTask, type SweepTask } from "./plan";

/** A task whose module is an absolute path, so that every worker loads the same one; without one, it trains. */
export interface ResolvedTask {
  readonly module?: string;
  readonly export: string;
  /** A tier of this library, whose code stays the same while the process runs. */
  readonly own: boolean;
  /** Modules that the options of jobs name, and the compiled text of all TypeScript. */
  readonly modules?: ModuleFiles;
}

/**
 * @param files modules that the options of jobs name, or that register their worlds
 * @param base the folder from which options name them
 * @throws {RangeError} if the module cannot be found from the working folder
 */
export function resolveTask(task: SweepTask, files: readonly string[] = [], base?: string): ResolvedTask {
  return withModules(findTask(task), files, base);
}

/** A task whose threads load modules first, with the JavaScript of all that is TypeScript. */
export function withModules(
  task: ResolvedTask,
  files: readonly string[],
  base: string = process.cwd(),
): ResolvedTask {
  const { module } = task;
  const compiled = compiledFiles(module !== undefined && isTypeScript(module) ? [...files, module] : files);
  const needed = files.length > 0 || Object.keys(compiled.sources).length > 0;
  return needed ? { ...task, modules: { base, files, ...compiled } } : task;
}

function findTask({ module, export: name }: SweepTask): ResolvedTask {
  if (module === undefined) return { export: name, own: true };
  const own = /^turnwise(\/|$)/.test(module);
  // The library's own tiers are found from here: the working folder need not have the library installed.
  const from = createRequire(own ? __filename : path.join(process.cwd(), "sweep.js"));
  const local = /^\.{0,2}[\\/]/.test(module) ? findFile(path.resolve(module)) : undefined;
  if (local !== undefined) return { module: local, export: name, own };
  try {
    const file = from.resolve(module);
    return { module: own ? definingFile(file, name) : file, export: name, own };
  } catch (error) {
    throw new RangeError(
      `Cannot sweep as task.module must be found from ${process.cwd()}: current value is "${module}"`,
      { cause: error },
    );
  }
}

/**
 * The file that defines what a tier exports, if this thread has loaded it: other threads then load what that file needs, and
 * not the whole tier.
 */
function definingFile(tier: string, name: string): string {
  const value = (require.cache[tier]?.exports as Namespace | undefined)?.[name];
  if (typeof value !== "function") return tier;
  // A tier passes its names on by getters; only the file that defines one holds its value.
  const defines = (exports: unknown): boolean =>
    typeof exports === "object" &&
    exports !== null &&
    Object.getOwnPropertyDescriptor(exports, name)?.value === value;
  return Object.values(require.cache).find((loaded) => defines(loaded?.exports))?.filename ?? tier;
}

/**
 * Loads the function of a task.
 *
 * @throws {RangeError} if the module has no function of that name
 */
export function loadTask(task: ResolvedTask): JobFunction {
  if (task.module === undefined) {
    // Loaded here and not above, so that a worker for another module starts at once.
    // eslint-disable-next-line @typescript-eslint/no-require-imports
    const job = require("./trainJob") as { readonly [trainTask.export]: unknown };
    return job[trainTask.export] as JobFunction;
  }
  const loaded = exportsOf(task.module, task.modules?.sources ?? {});
  const found = loaded[task.export];
  if (typeof found === "function") return found as JobFunction;
  const names = Object.keys(loaded);
  throw new RangeError(
    `Cannot sweep as ${task.module} must export the function "${task.export}"` +
      (names.length > 12 ? didYouMean(task.export, names) : `: it exports ${names.join(", ")}`),
  );
}

function exportsOf(file: string, sources: ModuleFiles["sources"]): Namespace {
  const known = notebookModules()?.get(file);
  if (known) return known;
  return isTypeScript(file) ? loadModule(file, sources) : (createRequire(file)(file) as Namespace);
}

/** Runs one job and gives its value as a line, and the seconds it took. */
export async function runJob(
  run: JobFunction,
  options: Readonly<Record<string, unknown>>,
  context: JobContext,
): Promise<{ value: string; seconds: number }> {
  const started = performance.now();
  const value = toLine((await run(options, context)) ?? null, "the result of a job");
  return { value, seconds: (performance.now() - started) / 1000 };
}
