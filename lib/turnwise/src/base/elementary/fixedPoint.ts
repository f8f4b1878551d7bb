/** Numbers as whole multiples of 2^-BITS, for tables that must be right to more digits than a double holds. */
const BITS = 160n;
export const ONE = 1n << BITS;
/** 2^-BITS. */
const SCALE = 1 / Number(ONE);

/** The double that is nearest to a fixed-point number. */
export const nearest = (fixed: bigint): number => Number(fixed) * SCALE;

/** A double as a fixed-point number; exact for whole multiples of 2^-160. */
export function fixed(value: number): bigint {
  let x = value;
  let shift = 0n;
  // Doubling is exact, so that no digit gets lost on the way to a whole number.
  for (; !Number.isInteger(x); x *= 2) shift += 1n;
  return (BigInt(x) << BITS) >> shift;
}

export const times = (a: bigint, b: bigint): bigint => (a * b) >> BITS;

/** The square root by Newton's method. */
export function squareRoot(x: bigint): bigint {
  const target = x << BITS;
  let root = ONE * 2n;
  for (;;) {
    const next = (root + target / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}

/** Natural logarithm of p / q by the series of 2 artanh((p - q) / (p + q)). */
export function logOfFraction(p: bigint, q: bigint): bigint {
  const z = ((p - q) << BITS) / (p + q);
  const square = times(z, z);
  let sum = 0n;
  let power = z;
  for (let n = 1n; power !== 0n && power !== -1n; n += 2n) {
    sum += power / n;
    power = times(power, square);
  }
  return 2n * sum;
}

/** The multiple of 2^-bits nearest to a fixed-point number, and what remains. */
export function split(x: bigint, bits: bigint): { readonly head: number; readonly tail: number } {
  const unit = 1n << (BITS - bits);
  const head = ((x + unit / 2n) / unit) * unit;
  return { head: nearest(head), tail: nearest(x - head) };
}
