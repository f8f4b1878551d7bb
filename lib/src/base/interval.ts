import { createRng, type Rng } from "./rng";

/** A mean with a confidence interval. */
export interface Interval {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
  /** Number of values, usually seeds. */
  readonly n: number;
}

export interface BootstrapOptions {
  /** Coverage, in (0, 1). Default 0.95. */
  readonly level?: number;
  /** Default 1000. */
  readonly resamples?: number;
  /** Where the resampling draws come from. By default a fixed stream, so that a figure is the same every time. */
  readonly rng?: Rng;
}

/**
 * The mean of a sample with its percentile bootstrap interval.
 *
 * `low` and `high` are the (1 - level)/2 and (1 + level)/2 quantiles of the means of `resamples` draws with replacement.
 * A sample of one has no spread to resample, so its interval is the value itself.
 *
 * @throws {RangeError} if the sample is empty, a value is not finite, or the level lies outside (0, 1)
 * @example
 * import { bootstrapInterval } from "turnwise";
 * bootstrapInterval([0.8, 0.9, 1, 0.7, 0.9]); // => { mean: 0.86, low: 0.78, high: 0.94, n: 5 }
 * @see Efron and Tibshirani, An Introduction to the Bootstrap (1993), section 13.3
 */
export function bootstrapInterval(values: ArrayLike<number>, options: BootstrapOptions = {}): Interval {
  const { level = 0.95, resamples = 1000 } = options;
  const n = values.length;
  if (n === 0) {
    throw new RangeError("Cannot compute an interval as values must not be empty: current length is 0");
  }
  if (!(level > 0 && level < 1)) {
    throw new RangeError(`Cannot compute an interval as level must lie in (0, 1): current value is ${level}`);
  }
  let sum = 0;
  for (let i = 0; i < n; i++) {
    if (!Number.isFinite(values[i])) {
      throw new RangeError(
        `Cannot compute an interval as every value must be finite: value ${i} is ${values[i]}`,
      );
    }
    sum += values[i]!;
  }
  const mean = sum / n;
  if (n === 1) return { mean, low: mean, high: mean, n };

  const rng = options.rng ?? createRng(0).split("bootstrap");
  const means = new Float64Array(resamples);
  for (let r = 0; r < resamples; r++) {
    let total = 0;
    for (let i = 0; i < n; i++) total += values[rng.below(n)]!;
    means[r] = total / n;
  }
  means.sort();
  const tail = (1 - level) / 2;
  return { mean, low: quantile(means, tail), high: quantile(means, 1 - tail), n };
}

/** Linear interpolation between order statistics (type 7 of Hyndman and Fan). */
function quantile(sorted: Float64Array, q: number): number {
  const at = q * (sorted.length - 1);
  const below = Math.floor(at);
  const above = Math.min(below + 1, sorted.length - 1);
  return sorted[below]! + (at - below) * (sorted[above]! - sorted[below]!);
}
