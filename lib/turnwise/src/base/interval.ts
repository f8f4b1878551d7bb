import { normalCdf, studentQuantile } from "./distribution";
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
  /** Source of the resampling draws. By default a fixed stream, so that a figure is the same every time. */
  readonly rng?: Rng;
}

/**
 * The mean of a sample with its expanded percentile bootstrap interval.
 *
 * `low` and `high` are quantiles of the means of `resamples` draws with replacement, at q and 1 - q with
 * q = Phi(-sqrt(n / (n - 1)) t), t the quantile of Student's t for n - 1 degrees of freedom. Over outcomes of training with two
 * peaks, each of at least a quarter of the runs, it covers .95 at n = 10, 20 and 40, where plain percentiles, q = (1 - level)/2,
 * cover .90 to .94 and BCa less. No interval holds a peak that the sample has missed: of ten runs a fall of one in ten is
 * missed every third time.
 * A sample of one has no spread to resample, so its interval is the value itself.
 *
 * @throws {RangeError} if the sample is empty, a value is not finite, or the level lies outside (0, 1)
 * @example
 * import { bootstrapInterval } from "turnwise";
 * const { mean, low, high } = bootstrapInterval([0.8, 0.9, 1, 0.7, 0.9]);
 * [mean, low, high].map((x) => x.toFixed(2)); // => ["0.86", "0.72", "0.98"]
 * @see Hesterberg, What Teachers Should Know About the Bootstrap (The American Statistician 69, 2015), section 4.2
 */
export function bootstrapInterval(values: ArrayLike<number>, options: BootstrapOptions = {}): Interval {
  const { level = 0.95 } = options;
  if (!(level > 0 && level < 1)) {
    throw new RangeError(`Cannot compute an interval: level must be in (0, 1), got ${level}.`);
  }
  const { mean, at } = bootstrapMean(values, options);
  return { mean, ...at(level), n: values.length };
}

/**
 * The same for any number of levels from one set of resamples.
 *
 * @throws {RangeError} if the sample is empty or a value is not finite
 */
export function bootstrapMean(
  values: ArrayLike<number>,
  { resamples = 1000, rng = createRng(0).split("bootstrap") }: Omit<BootstrapOptions, "level"> = {},
): { readonly mean: number; readonly at: (level: number) => Pick<Interval, "low" | "high"> } {
  const n = values.length;
  if (n === 0) {
    throw new RangeError("Cannot compute an interval: values must not be empty, got none.");
  }
  let sum = 0;
  for (let i = 0; i < n; i++) {
    if (!Number.isFinite(values[i])) {
      throw new RangeError(
        `Cannot compute an interval: every value must be finite, but value ${i} is ${values[i]}.`,
      );
    }
    sum += values[i]!;
  }
  const mean = sum / n;
  if (n === 1) return { mean, at: () => ({ low: mean, high: mean }) };

  const means = new Float64Array(resamples);
  for (let r = 0; r < resamples; r++) {
    let total = 0;
    for (let i = 0; i < n; i++) total += values[rng.below(n)]!;
    means[r] = total / n;
  }
  means.sort();
  const at = (level: number): Pick<Interval, "low" | "high"> => {
    const tail = tailOf(level, n);
    return { low: quantile(means, tail), high: quantile(means, 1 - tail) };
  };
  return { mean, at };
}

/** Charts ask for the same few levels and sizes thousands of times. */
const tails = new Map<string, number>();

function tailOf(level: number, n: number): number {
  const key = `${level} ${n}`;
  const known = tails.get(key);
  if (known !== undefined) return known;
  const tail = normalCdf(-Math.sqrt(n / (n - 1)) * studentQuantile(level, n - 1));
  if (tails.size < 1000) tails.set(key, tail);
  return tail;
}

/** Linear interpolation between order statistics (type 7 of Hyndman and Fan). */
function quantile(sorted: Float64Array, q: number): number {
  const at = q * (sorted.length - 1);
  const below = Math.floor(at);
  const above = Math.min(below + 1, sorted.length - 1);
  return sorted[below]! + (at - below) * (sorted[above]! - sorted[below]!);
}
