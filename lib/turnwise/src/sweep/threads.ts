import { startThreads } from "#sweep/threads";
import { page } from "../base/host/page";
import type { JobThreads } from "./jobThreads";

/** Time that idle threads wait for the next sweep. */
const KEPT_MS = 5 * 60_000;

interface Kept {
  readonly threads: JobThreads;
  /** Modules that they have loaded in addition to the library. */
  readonly key: string;
  readonly timer: ReturnType<typeof setTimeout>;
}

let kept: Kept | undefined;
/** Rounding of the threads, as the page had set it when they were started. */
const rounding = new WeakMap<JobThreads, boolean | undefined>();

/**
 * Threads that run the jobs: those that an earlier sweep has left, or new ones.
 *
 * @param key names the modules that they shall load: threads that have loaded others are not taken
 */
export function takeThreads(count: number, key = ""): JobThreads {
  if (kept) {
    const { threads, timer } = kept;
    const fits = (kept.key === key || kept.key === "") && rounding.get(threads) === page().relaxed;
    const same = threads.maxThreads === count && fits;
    clearTimeout(timer);
    kept = undefined;
    if (same) return threads;
    void threads.destroy();
  }
  const threads = startThreads(count);
  rounding.set(threads, page().relaxed);
  return threads;
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
