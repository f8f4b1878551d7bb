import { os, workerThreads } from "./node";

/**
 * The number of threads for large tasks: `TURNWISE_THREADS`, or else two if the machine has two cores. Worker threads use only
 * one, because the other cores belong to other workers, and so does a browser.
 *
 * @throws {RangeError} if TURNWISE_THREADS is not a whole number from 1 to 64
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
