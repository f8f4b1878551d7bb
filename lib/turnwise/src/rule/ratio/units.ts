import { exp } from "../../base/elementary/exp";
import { expm1 } from "../../base/elementary/expm1";

/** |log-ratio| is limited to this many nats before exponentiation, as verl and OpenRLHF do. */
export const logRatioLimit = 20;

/** exp of a log-ratio within the numerical limit; beyond it, its slope is 0. */
export function limitedExp(logRatio: number): number {
  if (beyondLimit(logRatio)) return exp(logRatio > 0 ? logRatioLimit : -logRatioLimit);
  return exp(logRatio);
}

/** exp(x) - 1 of a log-ratio within the same limit. */
export function limitedExpm1(logRatio: number): number {
  return expm1(Math.min(logRatio, logRatioLimit));
}

export function beyondLimit(logRatio: number): boolean {
  return Math.abs(logRatio) > logRatioLimit;
}
