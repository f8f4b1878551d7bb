import { mostHelpers, wantedThreads } from "#fused/helpers";

/**
 * The number of threads for large tasks: `TURNWISE_THREADS`, or else two if the machine has two cores. Worker threads use only
 * one, because the other cores belong to other workers, and so does a page that is not isolated.
 *
 * @throws {RangeError} if TURNWISE_THREADS is not a whole number from 1 to 64
 */
export function threadCount(wanted = wantedThreads()): number {
  if (wanted === undefined || wanted === "") return 1 + Math.min(1, mostHelpers());
  const count = Number(wanted);
  if (Number.isInteger(count) && count >= 1 && count <= 64) return count;
  throw new RangeError(
    `Cannot choose threads: TURNWISE_THREADS must be an integer from 1 to 64, got "${wanted}".`,
  );
}
