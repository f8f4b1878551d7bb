import { os, workerThreads } from "./node";

/**
 * Threads for large works: `TURNWISE_THREADS`, else two where the machine has two cores. A worker thread has one: what
 * started it has given the other cores to other workers. So has a browser.
 *
 * Throws RangeError for a TURNWISE_THREADS that is no whole number from 1 to 64.
 */
export function threadCount(wanted = workerThreads && process.env.TURNWISE_THREADS): number {
  if (!workerThreads || !os) return 1;
  if (wanted === undefined || wanted === "") {
    return workerThreads.isMainThread ? Math.min(2, os.availableParallelism()) : 1;
  }
  const count = Number(wanted);
  if (Number.isInteger(count) && count >= 1 && count <= 64) return count;
  throw new RangeError(
    `Cannot choose threads as TURNWISE_THREADS must be a whole number from 1 to 64: current value is "${wanted}"`,
  );
}
