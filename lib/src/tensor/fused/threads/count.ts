import { availableParallelism } from "node:os";
import { isMainThread } from "node:worker_threads";

/**
 * Threads for large operations: `TURNWISE_THREADS`, else two where the machine has two cores. A worker thread has one: what
 * started it has given the other cores to other workers.
 *
 * Throws RangeError for a TURNWISE_THREADS that is no whole number from 1 to 64.
 */
export function threadCount(wanted = process.env.TURNWISE_THREADS): number {
  if (wanted === undefined || wanted === "") return isMainThread ? Math.min(2, availableParallelism()) : 1;
  const count = Number(wanted);
  if (Number.isInteger(count) && count >= 1 && count <= 64) return count;
  throw new RangeError(
    `Cannot choose threads as TURNWISE_THREADS must be a whole number from 1 to 64: current value is "${wanted}"`,
  );
}
