import { createRequire } from "node:module";
import path from "node:path";
import { toLine } from "./json";
import type { SweepTask } from "./plan";

/** What a job's function may call while it works. */
export interface JobContext {
  /** Part of the job that is done, in [0, 1], for the time left. */
  readonly report: (fraction: number) => void;
}

export type JobFunction = (options: Readonly<Record<string, unknown>>, context: JobContext) => unknown;

/** A task whose module is an absolute path, so that every worker loads the same one; without one, it is the library's. */
export interface ResolvedTask {
  readonly module?: string;
  readonly export: string;
}

/** @throws RangeError when the module is not found from the working folder */
export function resolveTask({ module, export: name }: SweepTask): ResolvedTask {
  if (module === undefined) return { export: name };
  const from = createRequire(path.join(process.cwd(), "sweep.js"));
  try {
    return { module: from.resolve(module), export: name };
  } catch (error) {
    throw new RangeError(
      `Cannot sweep as task.module must be found from ${process.cwd()}: current value is "${module}"`,
      { cause: error },
    );
  }
}

/**
 * Loads the function of a task.
 *
 * @throws RangeError when the module has no function of that name
 */
export function loadTask(task: ResolvedTask): JobFunction {
  // The library's own jobs are loaded here and not above, so that a worker for another module starts at once.
  const loaded = (
    task.module === undefined
      ? (require("../study/jobs") as unknown) // eslint-disable-line @typescript-eslint/no-require-imports
      : createRequire(task.module)(task.module)
  ) as Readonly<Record<string, unknown>>;
  const found = loaded[task.export];
  if (typeof found === "function") return found as JobFunction;
  throw new RangeError(
    `Cannot sweep as ${task.module ?? "the library"} must export the function "${task.export}": it exports ` +
      Object.keys(loaded).join(", "),
  );
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
