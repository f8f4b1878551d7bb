import { exp } from "./exp";
import { log } from "./log";

/**
 * base^exponent, the same bits on every engine: by repeated squaring where the exponent is whole, else exp(exponent ln base).
 *
 * The relative error is below |exponent| (1 + |ln base|) times 2^-52, plus 2^-52; whole powers are exact where each partial
 * product fits into 53 bits.
 */
export function power(base: number, exponent: number): number {
  if (!Number.isInteger(exponent)) return exp(exponent * log(base));
  const size = whole(base, Math.abs(exponent));
  if (exponent >= 0) return size;
  // Where the power overflows, its reciprocal may still be a subnormal.
  return Number.isFinite(size) ? 1 / size : whole(1 / base, -exponent);
}

function whole(base: number, exponent: number): number {
  let result = 1;
  for (let n = exponent, factor = base; n > 0; n = Math.floor(n / 2), factor *= factor) {
    if (n % 2 === 1) result *= factor;
  }
  return result;
}
