import * as powers from "./expTable";
import * as table from "./logTable";

// Constants of this module, since engines fold these and not what other modules export.
const { powerOfTwo } = powers;
const { CELLS, firstCell, head, inverse, ln2Head, ln2Tail, tail } = table;

const ROUNDS = 6755399441055744;
/** Adding and subtracting it rounds to a multiple of 2^-40. */
const ROUNDS_TO_40_BITS = 6144;
const TWO_TO_54 = 18014398509481984;
const SMALLEST_NORMAL = 2.2250738585072014e-308;
const double = new Float64Array(1);
const words = new Uint32Array(double.buffer);
/** Which of the two words holds sign and exponent. */
const HIGH = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1 ? 1 : 0;

/**
 * ln x, the same bits on every engine: only IEEE operations and tables.
 *
 * ```
 * x = 2^m z,   c = round(128 z) / 128,   ln x = m ln2 + ln c + ln(1 + (z - c) / c),   .7 <= z < 1.42
 * ```
 * The error is below .52 units in the last place.
 *
 * @see Tang, "Table-driven implementation of the logarithm function in IEEE floating-point arithmetic", ACM TOMS 16 (1990)
 */
export function log(x: number): number {
  return logOfSum(x, 0);
}

/** ln(x + rest) for a rest far below the last place of x. */
export function logOfSum(x: number, rest: number): number {
  if (!(x >= SMALLEST_NORMAL && x < Infinity)) return beyond(x);
  double[0] = x;
  const high = words[HIGH]!;
  // The exponent of x / .703125 without its fraction: 2^m is the power of 2 that leaves z between .7 and 1.42.
  const m = (high - 0x3fe68000) >> 20;
  const z = x * powerOfTwo[1074 - m]!;
  const cell = z * CELLS + ROUNDS - ROUNDS;
  const i = cell - firstCell;
  const d = z - cell / CELLS;
  const r = d * inverse[i]!;
  const rHead = r + ROUNDS_TO_40_BITS - ROUNDS_TO_40_BITS;
  const rTail = (d - (rHead * cell) / CELLS) * inverse[i]! + rest / x;
  const square = r * r;
  const series =
    square * (-0.5 + r * (1 / 3 + r * (-1 / 4 + r * (1 / 5 + r * (-1 / 6 + r * (1 / 7 + r * (-1 / 8)))))));
  return m * ln2Head + head[i]! + rHead + (m * ln2Tail + tail[i]! + rTail + series);
}

function beyond(x: number): number {
  if (x === 0) return -Infinity;
  if (x > 0 && x < SMALLEST_NORMAL) return log(x * TWO_TO_54) - 54 * (ln2Head + ln2Tail);
  return x === Infinity ? x : NaN;
}
