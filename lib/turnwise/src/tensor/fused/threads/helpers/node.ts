import path from "node:path";
import { isMainThread, SHARE_ENV, Worker } from "node:worker_threads";
import os from "node:os";
import type { Duty } from "./helper";

/** Worker threads of Node use one thread, because the other cores belong to other workers. */
export const mostHelpers = (): number => (isMainThread ? os.availableParallelism() - 1 : 0);

/** Setting of the environment. */
export const wantedThreads = (): string | undefined => process.env.TURNWISE_THREADS;

/** Starts a thread that helps with the parts of tasks until this process ends. */
export function startHelper(duty: Duty): void {
  // Without this process's flags, which may load modules that a number-crunching thread does not need.
  const worker = new Worker(path.join(__dirname, "..", "worker.js"), {
    workerData: duty,
    env: SHARE_ENV,
    execArgv: [],
  });
  // If a thread cannot start, the others do its parts.
  worker.on("error", () => undefined);
  worker.unref();
}
