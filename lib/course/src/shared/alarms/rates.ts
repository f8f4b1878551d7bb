import { shareInterval } from "turnwise/internal/base/share";
import { pairedInterval } from "turnwise/internal/monitor/index";
import type { UpdateCount } from "./updates";

/** A share, or a median, with its 95% interval. */
export interface Rate {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

/**
 * The share of counted updates that an onset follows: sum of `followed` over sum of `up`.
 *
 * Updates of one run depend on each other, so runs are what is sampled: error^2 = n / (n - 1) sum_i (f_i - p u_i)^2 / (sum u)^2.
 * Undefined if nothing was counted.
 */
export function followedShare(counts: readonly UpdateCount[]): Rate | undefined {
  const n = counts.length;
  const up = counts.reduce((sum, count) => sum + count.up, 0);
  if (up === 0) return undefined;
  const mean = counts.reduce((sum, { followed }) => sum + followed, 0) / up;
  const squares = counts.reduce((sum, { up: own, followed }) => {
    const apart = followed - mean * own;
    return sum + apart * apart;
  }, 0);
  const counted = counts.filter((count) => count.up > 0).length;
  const error = Math.sqrt(((n / Math.max(1, n - 1)) * squares) / (up * up));
  return { mean, ...pairedInterval({ mean, error, falls: counted, survivors: counted }) };
}

/** The share of counted updates that an onset would follow at their age and in their setting anyway; undefined if there is none. */
export function expectedShare(counts: readonly UpdateCount[]): number | undefined {
  const up = counts.reduce((sum, count) => sum + count.up, 0);
  return up === 0 ? undefined : counts.reduce((sum, { expected }) => sum + expected, 0) / up;
}

/**
 * The median of values with the interval between two of them that covers it for sure with 95%: ranks k and n + 1 - k, with k
 * the largest for which P(Binomial(n, 1/2) < k) <= .025. With fewer than six values no rank does, and it is their range.
 *
 * @throws {RangeError} if there is no value
 */
export function medianInterval(values: readonly number[]): Rate {
  if (values.length === 0) throw new RangeError("Cannot take a median: there must be a value.");
  const sorted = [...values].sort((a, b) => a - b);
  const n = sorted.length;
  let [rank, below, chance] = [0, 0, 1];
  for (let i = 0; i < n; i++) chance /= 2;
  while (below + chance <= 0.025) {
    below += chance;
    rank += 1;
    chance *= (n - rank + 1) / rank;
  }
  const at = Math.max(1, rank);
  return {
    mean: (sorted[Math.ceil(n / 2) - 1]! + sorted[Math.floor(n / 2)]!) / 2,
    low: sorted[at - 1]!,
    high: sorted[n - at]!,
  };
}

/** The share of falls that were warned of: exact binomial. */
export function sensitivityOf(warned: number, falls: number): Rate {
  const { mean, low, high } = shareInterval(warned, falls);
  return { mean, low, high };
}
