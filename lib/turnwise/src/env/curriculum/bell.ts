import { exp } from "../../base/elementary/exp";
import { square } from "../../base/elementary/square";

/** Which success rates are drawn. */
export interface Bell {
  readonly target: number;
  /** Standard deviation around the target, in units of success rate. */
  readonly width: number;
  /** Share of the draws that goes to all levels alike. */
  readonly floor: number;
}

/** q(l) = (1 - floor) w_l / sum w + floor / levels, w_l = exp(-((p_l - target) / width)^2 / 2): sums to 1. */
export function bellWeights(rates: readonly number[], { target, width, floor }: Bell): number[] {
  const logWeight = rates.map((rate) => -square((rate - target) / width) / 2);
  const largest = Math.max(...logWeight);
  const weight = logWeight.map((value) => exp(value - largest));
  const total = weight.reduce((sum, value) => sum + value, 0);
  return weight.map((value) => ((1 - floor) * value) / total + floor / rates.length);
}
