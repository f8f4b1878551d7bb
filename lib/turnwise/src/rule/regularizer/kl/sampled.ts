import { exp } from "../../../base/elementary/exp";
import { named } from "../../part";
import { logRatioLimit } from "../../ratio/units";
import type { Estimator, KlShape } from "./contract";
import { k1 } from "./k1";
import { k2 } from "./k2";
import { k3 } from "./k3";
import { k3plus } from "./k3plus";

/** Every estimate from one sampled token. */
export const estimators = { k1, k2, k3, "k3+": k3plus } satisfies Readonly<Record<string, Estimator>>;

const estimatorOf = (name: string): Estimator => named<Estimator>(estimators, "the estimator", name);

/** Log-probs of one token, in nats: under the present policy, under the other one, and under the one that drew it. */
export interface SampledToken {
  readonly logProb: number;
  readonly other: number;
  readonly oldLogProb: number;
}

/**
 * The estimate from one sampled token and its derivative in log pi, in nats.
 *
 * ```
 * d = log other - log pi, for KL(pi || other); for KL(other || pi) the two change places
 * weight: pi / pi_old, or other / pi_old; its log-ratio is at most 20 nats
 * ```
 * A small weight has no limit: of a token that pi has left, it is what cancels the e^d of k3.
 * The gradient goes through the weight pi / pi_old, but for k2 and k3+, whose slopes alone are right.
 */
export function klEstimate(
  { direction, estimator, correction, clamp }: KlShape,
  { logProb, other, oldLogProb }: SampledToken,
): { value: number; slope: number } {
  const by = estimatorOf(estimator);
  const reverse = direction === "reverse";
  const raw = reverse ? other - logProb : logProb - other;
  const limit = clamp?.logRatio ?? Infinity;
  const d = raw > limit ? limit : raw < -limit ? -limit : raw;
  let value = by.value(d);
  let slope = by.borrowsSlope ? by.slope(raw) : d === raw ? by.slope(d) : 0;
  if (!reverse) slope = -slope;
  if (clamp !== null && Math.abs(value) > clamp.value) {
    value = value > 0 ? clamp.value : -clamp.value;
    if (!by.borrowsSlope) slope = 0;
  }
  if (correction === "none") return { value, slope };
  const logWeight = (reverse ? logProb : other) - oldLogProb;
  const weight = exp(Math.min(logWeight, logRatioLimit));
  const through = reverse && !by.slopeAlone && logWeight <= logRatioLimit;
  if (isFar(by, clamp, d)) {
    // weight (e^d - 1 - d), where e^d alone may overflow.
    const product = exp(Math.min(Math.min(logWeight, logRatioLimit) + d, 2 * logRatioLimit));
    const own = through ? -weight * d : reverse ? weight - product : product - weight;
    return { value: product - weight * (1 + d), slope: by.borrowsSlope ? weight * slope : own };
  }
  return { value: weight * value, slope: weight * (through ? slope + value : slope) };
}

const grows = (by: Estimator): boolean => by.value === k3.value;

const isFar = (by: Estimator, clamp: KlShape["clamp"], d: number): boolean =>
  grows(by) && clamp === null && d > logRatioLimit;

/** Whether the gradient is meant to be another than that of the value: a weight is held, or the slope is another estimate's. */
export function borrowsSlope({ estimator, correction }: KlShape): boolean {
  if (estimator === "exact") return false;
  const by = estimatorOf(estimator);
  return by.borrowsSlope || (by.slopeAlone && correction !== "none");
}
