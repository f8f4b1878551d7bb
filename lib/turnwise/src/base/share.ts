import { betaQuantile } from "./distribution";
import type { Interval } from "./interval";

/**
 * A share with its exact binomial interval (Clopper and Pearson): it covers the true share in at least 95% of all samples,
 * however small n and however near 0 or 1 the share.
 *
 * @throws {RangeError} if `count` is not a whole number from 0 to `of`, or `of` is not at least 1
 * @example
 * import { shareInterval } from "turnwise/verdict";
 * shareInterval(0, 20).high.toFixed(3); // => "0.168"
 * @see Clopper and Pearson, Biometrika 26 (1934), 404
 */
export function shareInterval(count: number, of: number, level = 0.95): Interval {
  if (!Number.isInteger(of) || of < 1 || !Number.isInteger(count) || count < 0 || count > of) {
    throw new RangeError(
      `Cannot compute a share: the count must be an integer from 0 to all, got ${count} of ${of}.`,
    );
  }
  const tail = (1 - level) / 2;
  return {
    mean: count / of,
    low: count === 0 ? 0 : betaQuantile(tail, count, of - count + 1),
    high: count === of ? 1 : betaQuantile(1 - tail, count + 1, of - count),
    n: of,
  };
}
