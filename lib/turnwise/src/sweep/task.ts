import { machine } from "#machine";
import { path } from "#path";
import { modules } from "#sweep/modules";
import { didYouMean } from "../base/suggest";
import type { JobContext, JobFunction } from "./job";
import { toLine } from "./json";
import { compiledFiles, findFile } from "./modules/compile";
import { isOwn } from "./modules/isOwn";
import { loadModule, type ModuleFiles } from "./modules/load";
import { notebookModules, type Namespace } from "./modules/notebook";
import type { SweepTask } from "./plan";

/** A task whose module is an absolute path, so that every worker loads the same one; without one, it trains. */
export interface ResolvedTask {
  readonly module?: string;
  readonly export: string;
  /** This library or a package released with it, whose code stays the same while the process runs. */
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
  base: string = machine.cwd(),
): ResolvedTask {
  const { module } = task;
  const compiled = compiledFiles(
    module !== undefined && modules.compiles(module) ? [...files, module] : files,
  );
  const needed = files.length > 0 || Object.keys(compiled.sources).length > 0;
  return needed ? { ...task, modules: { base, files, ...compiled } } : task;
}

function findTask({ module, export: name }: SweepTask): ResolvedTask {
  if (module === undefined) return { export: name, own: true };
  const own = isOwn(module);
  const local = /^\.{0,2}[\\/]/.test(module) ? findFile(path.resolve(module)) : undefined;
  if (local !== undefined) return { module: local, export: name, own };
  try {
    return { module: modules.resolve(module, name), export: name, own };
  } catch (error) {
    throw new RangeError(`Cannot sweep: task.module must be found from ${machine.cwd()}, got "${module}".`, {
      cause: error,
    });
  }
}

/**
 * Loads the function of a task.
 *
 * @throws {RangeError} if the module has no function of that name
 */
export function loadTask(task: ResolvedTask): JobFunction {
  if (task.module === undefined) return modules.trainJob();
  const loaded = exportsOf(task.module, task.modules?.sources ?? {});
  const found = loaded[task.export];
  if (typeof found === "function") return found as JobFunction;
  const names = Object.keys(loaded);
  throw new RangeError(
    `Cannot sweep: ${task.module} must export the function "${task.export}".` +
      (names.length > 12 ? didYouMean(task.export, names) : ` It exports ${names.join(", ")}.`),
  );
}

function exportsOf(file: string, sources: ModuleFiles["sources"]): Namespace {
  const known = notebookModules()?.get(file);
  if (known) return known;
  return modules.compiles(file) && sources[file] !== undefined
    ? loadModule(file, sources)
    : modules.load(file);
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
