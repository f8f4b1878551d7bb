import { exp } from "./exp";
import { expm1 } from "./expm1";

/** sinh x; the error is below 2.5 units in the last place. */
export function sinh(x: number): number {
  const size = Math.abs(x);
  if (!(size > 1e-9)) return x;
  const value = size < 22 ? halfSum(expm1(size)) : halfExp(size);
  return x < 0 ? -value : value;
}

/** cosh x; the error is below 1.5 units in the last place. */
export function cosh(x: number): number {
  const size = Math.abs(x);
  if (!(size < 22)) return halfExp(size);
  const e = exp(size);
  return 0.5 * e + 0.5 / e;
}

/** (e^x - e^-x) / 2 from e^x - 1. */
const halfSum = (e: number): number => 0.5 * (e + e / (e + 1));

/** e^x / 2, which is finite a little longer than e^x. */
function halfExp(x: number): number {
  if (x < 709) return 0.5 * exp(x);
  // The multiple of ln 2 that is taken off is exact, so that nothing is lost but the last place.
  return exp(x - 709) * 0.5 * E_TO_709;
}
/** e^709. */
const E_TO_709 = exp(709);
