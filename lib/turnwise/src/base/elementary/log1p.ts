import { logOfSum } from "./log";

/** ln(1 + x), right where x is small; the error is below .6 units in the last place. */
export function log1p(x: number): number {
  if (x > -1e-6 && x < 1e-6) return x === 0 ? x : x - x * x * (0.5 - x * (1 / 3));
  const sum = 1 + x;
  const rest = x < 1 ? x - (sum - 1) : 1 - (sum - x);
  return logOfSum(sum, rest);
}
