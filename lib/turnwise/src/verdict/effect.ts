import { difference, type DifferenceOptions } from "../base/difference";
import { normalQuantile } from "../base/distribution";
import { bootstrapMean } from "../base/interval";
import { shareInterval } from "../base/share";

/** The two ends of an interval. */
export interface Ends {
  readonly low: number;
  readonly high: number;
}

/** A measured effect, signed in the direction of its claim, with an interval at every level. */
export interface Effect {
  readonly mean: number;
  /** Seeds, pairs or trials, the smaller number where two samples are compared; Infinity if nothing was sampled. */
  readonly n: number;
  /** Method of the interval, such as "Welch's t". */
  readonly method: string;
  /** The interval that covers the true effect with this probability. */
  readonly at: (level: number) => Ends;
}

/**
 * Difference between the mean of `a` and that of `b`: Welch's t, or Student's for pairs from the same seeds.
 *
 * @example
 * import { gain, verdict } from "turnwise/verdict";
 * const effect = gain([0.9, 1, 0.9, 1, 0.8], [0.2, 0.4, 0.3, 0.3, 0.2]);
 * verdict({ effect, smallestEffectOfInterest: 0.05 }).text; // => "holds"
 */
export function gain(
  a: ArrayLike<number>,
  b: ArrayLike<number>,
  { paired = false }: Pick<DifferenceOptions, "paired"> = {},
): Effect {
  const at = (level: number): Ends => difference(a, b, { paired, level });
  const { mean, n } = difference(a, b, { paired });
  return { mean, n, method: paired ? "t of pairs" : "Welch's t", at };
}

/** Distance of a mean above a threshold: the expanded percentile bootstrap of `bootstrapInterval`, with 10 000 resamples. */
export function above(values: ArrayLike<number>, threshold: number): Effect {
  const { mean, at } = bootstrapMean(values, { resamples: 10_000 });
  return {
    mean: mean - threshold,
    n: values.length,
    method: "bootstrap",
    at: (level) => shifted(at(level), threshold),
  };
}

/** Difference between a share of runs or trials and another number, by default 0: exact binomial. */
export function share(count: number, of: number, threshold = 0): Effect {
  const at = (level: number): Ends => shifted(shareInterval(count, of, level), threshold);
  return { mean: count / of - threshold, n: of, method: "exact binomial", at };
}

/**
 * Difference between two shares of trials: Agresti and Caffo's interval, which adds a success and a failure to each
 * sample, so that nothing in n trials is not taken for never.
 *
 * @see Agresti and Caffo, Simple and effective confidence intervals for proportions (The American Statistician 54, 2000)
 */
export function shareGain(
  a: { readonly count: number; readonly of: number },
  b: { readonly count: number; readonly of: number },
): Effect {
  const [p, q] = [(a.count + 1) / (a.of + 2), (b.count + 1) / (b.of + 2)];
  const error = Math.sqrt((p * (1 - p)) / (a.of + 2) + (q * (1 - q)) / (b.of + 2));
  const at = (level: number): Ends => {
    const reach = normalQuantile(level) * error;
    return { low: p - q - reach, high: p - q + reach };
  };
  const mean = a.count / a.of - b.count / b.of;
  return { mean, n: Math.min(a.of, b.of), method: "Agresti-Caffo", at };
}

function shifted({ low, high }: Ends, threshold: number): Ends {
  return { low: low - threshold, high: high - threshold };
}

/** An effect that was computed over all cases, not sampled. The tolerance is that of its arithmetic. */
export function exactly(effect: number, tolerance = 1e-9): Effect {
  const ends = { low: effect - tolerance, high: effect + tolerance };
  return { mean: effect, n: Infinity, method: "exact", at: () => ends };
}

/** One run: its seed and what it came to. */
export interface SeedValue {
  readonly seed: number;
  readonly value: number;
}

/** An effect in the runs that found it, and in runs of fresh seeds; undefined where there are none yet. */
export interface Halves {
  readonly find: Effect | undefined;
  readonly confirm: Effect | undefined;
}

/**
 * `gain` in two halves: seeds below `confirmFrom` find, the others confirm. A verdict on it needs both to say the same.
 *
 * @throws {RangeError} if a sample has two runs of one seed
 */
export function gainInHalves(
  a: readonly SeedValue[],
  b: readonly SeedValue[],
  { confirmFrom }: { readonly confirmFrom: number },
): Halves {
  for (const sample of [a, b]) {
    const seeds = sample.map(({ seed }) => seed).sort((x, y) => x - y);
    const twice = seeds.find((seed, i) => seed === seeds[i - 1]);
    if (twice !== undefined) {
      throw new RangeError(
        `Cannot compare halves: each seed must be run once, but seed ${twice} appears twice.`,
      );
    }
  }
  const half = (isOwn: (seed: number) => boolean): Effect | undefined => {
    const of = (sample: readonly SeedValue[]): number[] =>
      sample.filter(({ seed }) => isOwn(seed)).map(({ value }) => value);
    const [own, other] = [of(a), of(b)];
    return own.length === 0 || other.length === 0 ? undefined : gain(own, other);
  };
  return { find: half((seed) => seed < confirmFrom), confirm: half((seed) => seed >= confirmFrom) };
}
