import { expm1 } from "./expm1";

/** tanh x; the error is below 2.5 units in the last place. */
export function tanh(x: number): number {
  const size = Math.abs(x);
  if (!(size < 20)) return size >= 20 ? Math.sign(x) : x;
  if (size < 1e-9) return x;
  const e = expm1(2 * size);
  const value = size >= 1 ? 1 - 2 / (e + 2) : e / (e + 2);
  return x < 0 ? -value : value;
}
