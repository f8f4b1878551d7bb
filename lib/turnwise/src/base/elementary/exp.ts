import * as table from "./expTable";

// Constants of this module, since engines fold these and not what other modules export.
const { head, powerOfTwo, stepHead, stepsPerNat, stepTail, tail } = table;

/** Adding and subtracting it rounds to the nearest whole number. */
const ROUNDS = 6755399441055744;
const OVERFLOWS = 709.782712893384;
const UNDERFLOWS = -745.1332191019412;
const TWO_TO_MINUS_54 = 5.551115123125783e-17;

/**
 * e^x, the same bits on every engine: only additions, multiplications and tables.
 *
 * ```
 * x = (128 m + i) ln2 / 128 + r,   e^x = 2^m 2^(i/128) (1 + r + r^2/2 + ...),   |r| <= ln2 / 256
 * ```
 * The error is below .51 units in the last place, and below 1 where the value is subnormal.
 *
 * @see Tang, "Table-driven implementation of the exponential function in IEEE floating-point arithmetic", ACM TOMS 15 (1989)
 */
export function exp(x: number): number {
  if (!(x <= OVERFLOWS && x > UNDERFLOWS)) return beyond(x);
  const k = x * stepsPerNat + ROUNDS - ROUNDS;
  const r = x - k * stepHead - k * stepTail;
  const i = k & 127;
  const p = r + r * r * (0.5 + r * (1 / 6 + r * (1 / 24 + r * (1 / 120))));
  const scale = head[i]!;
  return scaled(scale + (tail[i]! + scale * p), (k - i) / 128);
}

function scaled(value: number, m: number): number {
  if (m > 1023) return value * 2 * powerOfTwo[2097]!;
  // In two steps, of which only the last one rounds.
  if (m < -1022) return value * powerOfTwo[m + 1128]! * TWO_TO_MINUS_54;
  return value * powerOfTwo[m + 1074]!;
}

function beyond(x: number): number {
  if (x !== x) return x;
  return x > 0 ? Infinity : 0;
}
