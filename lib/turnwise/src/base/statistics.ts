import { square } from "./elementary/square";

export type Values = readonly number[] | Float64Array;

/** The arithmetic mean; NaN for an empty list. */
export function mean(values: Values): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum / values.length;
}

/** The standard deviation, with n - 1 in the denominator if `unbiased`, else n. */
export function standardDeviation(values: Values, unbiased: boolean): number {
  return Math.sqrt(squares(values) / (unbiased ? values.length - 1 : values.length));
}

/**
 * Whether the numbers are equal up to the rounding of a sum: their spread is at most 1e-12 times the largest magnitude (or 1).
 *
 * A difference of that size is noise, but dividing it by its own standard deviation would make it look like a signal.
 */
export function isConstant(values: Values): boolean {
  let low = Infinity;
  let high = -Infinity;
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return values.length > 0 && high - low <= 1e-12 * Math.max(1, Math.abs(low), Math.abs(high));
}

/** The positions of each key, in order of first appearance. */
export function positionsByKey<K>(keys: ArrayLike<K>): Map<K, number[]> {
  const positions = new Map<K, number[]>();
  let found: number[] | undefined;
  for (let i = 0; i < keys.length; i++) {
    // Neighbors are often of one group.
    if (i === 0 || keys[i] !== keys[i - 1]) found = positions.get(keys[i]!);
    if (found === undefined) positions.set(keys[i]!, (found = [i]));
    else found.push(i);
  }
  return positions;
}

/** The mean squared distance to the mean (n in the denominator). */
export function variance(values: Values): number {
  return squares(values) / values.length;
}

/** Sum of squared distances to the mean. */
function squares(values: Values): number {
  const center = mean(values);
  let sum = 0;
  for (const value of values) sum += square(value - center);
  return sum;
}

/**
 * The middle one of the sorted values, or the mean of the two middle ones.
 *
 * @example
 * import { median } from "turnwise";
 * median([4, 1, 10, 2]); // => 3
 */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length / 2;
  return sorted.length % 2 === 1 ? sorted[Math.floor(half)]! : (sorted[half - 1]! + sorted[half]!) / 2;
}

/** The number in [low, high] that is nearest to x. */
export function clamp(x: number, low: number, high: number): number {
  return Math.min(Math.max(x, low), high);
}
