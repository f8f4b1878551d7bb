import { createRng } from "./rng";
import { bootstrapInterval, type BootstrapOptions, type Interval } from "./interval";

/**
 * The mean of `a` minus the mean of `b`, with its percentile bootstrap interval.
 *
 * The two samples are resampled independently. With `paired: true`, where value i of both comes from the same seed, their
 * differences are resampled instead, which gives a narrower interval where seeds matter.
 *
 * @throws {RangeError} if `bootstrapInterval` would throw, or if paired samples differ in length
 * @example
 * import { difference } from "turnwise";
 * difference([0.9, 1, 0.8], [0.5, 0.6, 0.4], { paired: true }); // => { mean: 0.4, low: 0.4, high: 0.4, n: 3 }
 * @see Efron and Tibshirani, An Introduction to the Bootstrap (1993), sections 8.3 and 13.3
 */
export function difference(
  a: ArrayLike<number>,
  b: ArrayLike<number>,
  options: BootstrapOptions & { readonly paired?: boolean } = {},
): Interval {
  const { paired = false, ...bootstrap } = options;
  if (paired) {
    if (a.length !== b.length) {
      throw new RangeError(
        `Cannot compare pairs as both samples must have the same length: ${a.length} and ${b.length}`,
      );
    }
    return bootstrapInterval(
      Array.from(a, (x, i) => x - b[i]!),
      bootstrap,
    );
  }
  const { level = 0.95, resamples = 1000 } = bootstrap;
  const rng = bootstrap.rng ?? createRng(0).split("difference");
  const mean = bootstrapInterval(a, bootstrap).mean - bootstrapInterval(b, bootstrap).mean;
  const resample = (values: ArrayLike<number>): number => {
    let total = 0;
    for (let n = values.length; n > 0; n--) total += values[rng.below(values.length)]!;
    return total / values.length;
  };
  const differences = Float64Array.from({ length: resamples }, () => resample(a) - resample(b)).sort();
  const at = (q: number): number => differences[Math.round(q * (resamples - 1))]!;
  return { mean, low: at((1 - level) / 2), high: at((1 + level) / 2), n: Math.min(a.length, b.length) };
}
