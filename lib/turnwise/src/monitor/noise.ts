import { power } from "../base/elementary/power";
import { square } from "../base/elementary/square";
import { mean } from "../base/statistics";

/** The noise of a series, as of one in which each value keeps a share of the noise of the one before (AR(1)). */
export interface Noise {
  /** The correlation of neighbors, from 0 to below 1. */
  readonly correlation: number;
  /** The same, as high as it may well be: a standard error above. */
  readonly highest: number;
  /** The mean square of a step from one value to the next. */
  readonly step: number;
}

/** So many neighbors apart are compared. */
const LAGS = 5;
/** The share of the steps that count: a fall is a few large ones, which are no noise. */
const KEPT = 0.85;
/** The mean of the smallest 85% of squared normal values is this share of the mean of all. */
const KEPT_MEAN = 0.52;
/** The highest correlation that is considered; such noise lasts for 27 steps, (1 + r) / (1 - r). */
const MOST = 0.93;
/** The standard error of a correlation that is estimated from one value. */
const ERROR = 1.5;

/**
 * Estimates how long noise lasts, from the distances between values 1 to 5 steps apart: independent values are equally
 * far apart at all lags. ``` v_k = mean of the smallest 85% of (x_i - x_(i-k))^2,   r = argmin min_c sum_k (v_k - c (1
 * - r^k))^2 ``` Neither the level of the run nor a fall counts for much: a few large steps are left out, and slow
 * changes add little to small lags.
 */
export function noiseOf(values: readonly number[]): Noise {
  const apart = Array.from({ length: LAGS }, (_, k) => keptMean(squaredSteps(values, k + 1)));
  const step = apart[0]! / KEPT_MEAN;
  if (values.length < 2 * LAGS || !(apart[0]! > 0)) return { correlation: 0, highest: 0, step: 0 };
  let [best, least] = [0, Infinity];
  for (let r = 0; r <= MOST + 1e-9; r += 0.01) {
    const error = misfit(apart, r);
    if (error < least - 1e-12 * square(apart[0]!)) [best, least] = [r, error];
  }
  return { correlation: best, highest: Math.min(MOST, best + ERROR / Math.sqrt(values.length)), step };
}

/** Misfit between the distances and those of noise with that correlation, whatever its size. */
function misfit(apart: readonly number[], r: number): number {
  const shape = apart.map((_, k) => 1 - power(r, k + 1));
  const size = shape.reduce((sum, s, k) => sum + s * apart[k]!, 0) / shape.reduce((sum, s) => sum + s * s, 0);
  return shape.reduce((sum, s, k) => sum + square(apart[k]! - size * s), 0);
}

const squaredSteps = (values: readonly number[], lag: number): number[] =>
  values.slice(lag).map((x, i) => square(x - values[i]!));

const keptMean = (squares: number[]): number =>
  mean(squares.sort((a, b) => a - b).slice(0, Math.ceil(KEPT * squares.length)));
