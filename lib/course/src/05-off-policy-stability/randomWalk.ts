import { exp } from "turnwise/internal/base/elementary/exp";
import { expm1 } from "turnwise/internal/base/elementary/expm1";
import { log } from "turnwise/internal/base/elementary/log";
import { square } from "turnwise/internal/base/elementary/square";
import { expectWhole } from "turnwise/internal/base/expect";
import type { Pooling } from "turnwise/internal/rule/index";
import type { Rng } from "turnwise/internal/base/rng";
import { pooledLogRatio } from "./ratioForm";

/** Spread of a pooled ratio. */
export interface RatioSpread {
  /** Standard deviation of the log-ratio, nats. */
  readonly deviation: number;
  /** Share of ratios outside 1 +- clip. */
  readonly outside: number;
}

/**
 * Spread of the pooled ratio of n tokens whose log-ratios are independent and normal, with deviation s and mean -s^2 / 2, so
 * that the ratio of every token has mean 1.
 *
 * ```
 * product    log r ~ N(-n s^2 / 2, n s^2)
 * geometric  log r ~ N(-s^2 / 2, s^2 / n)
 * ```
 * Both are exact; the arithmetic mean has no such form. `outside` is P(|r - 1| > clip).
 *
 * @throws {RangeError} if n is below 1 or s is not above 0
 */
export function walkSpread(n: number, s: number, pooling: "product" | "geometric", clip = 0.2): RatioSpread {
  expectWhole("compute a spread", "n", n, 1);
  if (!(s > 0)) throw new RangeError(`Cannot compute a spread: s must be > 0, got ${s}.`);
  const deviation = pooling === "product" ? s * Math.sqrt(n) : s / Math.sqrt(n);
  const mean = pooling === "product" ? (-n * s * s) / 2 : (-s * s) / 2;
  const below = normalCdf((log(1 - clip) - mean) / deviation);
  const above = 1 - normalCdf((log(1 + clip) - mean) / deviation);
  return { deviation, outside: below + above };
}

/** `walkSpread` estimated from `draws` sampled units of n tokens; also for the arithmetic mean. */
export function sampledSpread(
  n: number,
  s: number,
  pooling: Pooling,
  { rng, draws = 4000, clip = 0.2 }: { readonly rng: Rng; readonly draws?: number; readonly clip?: number },
): RatioSpread {
  const logs = Array.from({ length: draws }, () =>
    pooledLogRatio(
      Array.from({ length: n }, () => s * rng.normal() - (s * s) / 2),
      pooling,
    ),
  );
  return spreadOf(logs, clip);
}

/** Spread of given log-ratios. */
export function spreadOf(logRatios: readonly number[], clip = 0.2): RatioSpread {
  const n = logRatios.length;
  const mean = logRatios.reduce((a, b) => a + b, 0) / n;
  return {
    deviation: Math.sqrt(logRatios.reduce((sum, x) => sum + square(x - mean), 0) / n),
    outside: logRatios.filter((x) => Math.abs(expm1(x)) > clip).length / n,
  };
}

/** P(Z <= x) of a standard normal, to about 1e-7: Abramowitz and Stegun, 7.1.26. */
function normalCdf(x: number): number {
  const z = Math.abs(x) / Math.SQRT2;
  const t = 1 / (1 + 0.3275911 * z);
  const poly =
    t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  const erf = 1 - poly * exp(-z * z);
  return x < 0 ? (1 - erf) / 2 : (1 + erf) / 2;
}
