import { startThreads } from "#sweep/threads";
import type { JobThreads } from "./jobThreads";

/** How long idle threads wait for the next sweep. */
const KEPT_MS = 5 * 60_000;

interface Kept {
  readonly threads: JobThreads;
  /** What they have loaded besides the library. */
  readonly key: string;
  readonly timer: ReturnType<typeof setTimeout>;
}

let kept: Kept | undefined;

/**
 * Threads that run the jobs: those that an earlier sweep has left, or new ones.
 *
 * @param key names the modules that they shall load: threads that have loaded others are not taken
 */
export function takeThreads(count: number, key = ""): JobThreads {
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

/**
 * Keeps idle threads for the next sweep, which then finds the library loaded and its hot code compiled. They do not keep the
 * process from exiting.
 */
export function keepThreads(threads: JobThreads, key = ""): void {
  if (kept) {
    void threads.destroy();
    return;
  }
  const timer = setTimeout(() => {
    kept = undefined;
    void threads.destroy();
  }, KEPT_MS);
  // A browser's timer is a number.
  (timer as { unref?(): unknown }).unref?.();
  kept = { threads, key, timer };
}
