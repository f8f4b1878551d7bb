// First, as it makes what follows load faster.
import { keepCompiled } from "./quickStart";
import type { MessagePort } from "node:worker_threads";
import type { JobFunction } from "./job";
import { revive } from "./modules/carry";
import { loadModules } from "./modules/load";
import { loadTask, runJob, type ResolvedTask } from "./task";

/** To a worker: a job to run, and where to report its progress. */
export interface JobMessage {
  readonly task: ResolvedTask;
  readonly options: Readonly<Record<string, unknown>>;
  readonly port: MessagePort;
}

/** From a worker: a job failed. If `fatal`, no job of the task can run. */
export interface ErrorMessage {
  readonly t: "error";
  readonly fatal: boolean;
  readonly name: string;
  readonly message: string;
  readonly stack: string;
  /** What it was thrown for, such as the error of a user's function, with the line of its module. */
  readonly cause?: ErrorMessage;
}

/** From a worker: what became of a job. */
export type OutcomeMessage =
  { readonly t: "done"; readonly value: string; readonly seconds: number } | ErrorMessage;

/** From a worker while it works: the part of the job that is done, or what the job hands on. */
export type JobNews = number | { readonly emitted: unknown };

const SHORTEST_GAP_MS = 200;

/**
 * What each thread of a sweep runs. Errors go back as plain data, since a cloned error loses its name.
 *
 * @public
 */
export async function runMessage({ task, options, port }: JobMessage): Promise<OutcomeMessage> {
  let run: JobFunction;
  let settings = options;
  try {
    if (task.modules && task.modules.files.length > 0) {
      settings = revive(options, { ...task.modules, modules: loadModules(task.modules) });
    }
    run = loadTask(task);
    keepCompiled();
  } catch (error) {
    return failure(error, true);
  }
  let sentAt = -Infinity;
  const report = (fraction: number): void => {
    if (performance.now() - sentAt < SHORTEST_GAP_MS) return;
    sentAt = performance.now();
    port.postMessage(fraction);
  };
  const emit = (emitted: unknown): void => port.postMessage({ emitted });
  try {
    return { t: "done", ...(await runJob(run, settings, { report, emit })) };
  } catch (error) {
    return failure(error, false);
  } finally {
    port.close();
  }
}

export function failure(thrown: unknown, fatal: boolean): ErrorMessage {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  const { name, message, stack = "", cause } = error;
  return {
    t: "error",
    fatal,
    name,
    message,
    stack,
    ...(cause instanceof Error && { cause: failure(cause, fatal) }),
  };
}
