import { logOfFraction, split } from "./fixedPoint";

/** Arguments are compared with whole multiples of 1 / CELLS. */
export const CELLS = 128;
const FIRST = 89;
const LAST = 182;

/** 1 / c, and ln c as a sum of two doubles, for c = (i + FIRST) / CELLS; the first is a multiple of 2^-42. */
export const inverse = new Float64Array(LAST - FIRST + 1);
export const head = new Float64Array(inverse.length);
export const tail = new Float64Array(inverse.length);
for (let c = FIRST; c <= LAST; c++) {
  inverse[c - FIRST] = CELLS / c;
  const parts = split(logOfFraction(BigInt(c), BigInt(CELLS)), 42n);
  head[c - FIRST] = parts.head;
  tail[c - FIRST] = parts.tail;
}
export const firstCell = FIRST;

/** ln 2 as a sum of two doubles; a product of the first with a whole number below 2^11 is exact. */
export const { head: ln2Head, tail: ln2Tail } = split(logOfFraction(2n, 1n), 42n);
