import path from "node:path";
import type { Piscina } from "piscina";
import { startData } from "./quickStart";

/** How long idle threads wait for the next sweep. */
const KEPT_MS = 5 * 60_000;

interface Kept {
  readonly threads: Piscina;
  /** What they have loaded besides the library. */
  readonly key: string;
  readonly timer: NodeJS.Timeout;
}

let kept: Kept | undefined;

/**
 * Threads that run `worker.ts`: those that an earlier sweep has left, or new ones.
 *
 * @param key names the modules that they shall load: threads that have loaded others are not taken
 */
export function takeThreads(count: number, key = ""): Piscina {
  if (kept) {
    const { threads, timer } = kept;
    const same = threads.maxThreads === count && (kept.key === key || kept.key === "");
    clearTimeout(timer);
    kept = undefined;
    if (same) return threads;
    void threads.destroy();
  }
  return startThreads(count);
}

function startThreads(count: number): Piscina {
  // Loaded here and not above: most programs that import the library start no threads.
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const pool = require("piscina") as typeof import("piscina");
  const threads = new pool.Piscina({
    filename: path.join(__dirname, "worker.js"),
    name: "runMessage",
    minThreads: count,
    maxThreads: count,
    workerData: startData(),
    // Asleep on an atomic, a thread would run no timer or stray promise that a job has left behind.
    atomics: "disabled",
    recordTiming: false,
  });
  // An error in an idle thread concerns no job, and the pool replaces the thread.
  threads.on("error", () => undefined);
  return threads;
}

/**
 * Keeps idle threads for the next sweep, which then finds the library loaded and its hot code compiled. They do not keep the
 * process from exiting.
 */
export function keepThreads(threads: Piscina, key = ""): void {
  if (kept) {
    void threads.destroy();
    return;
  }
  const timer = setTimeout(() => {
    kept = undefined;
    void threads.destroy();
  }, KEPT_MS).unref();
  kept = { threads, key, timer };
}
