type Vector = ArrayLike<number>;

export function dot(a: Vector, b: Vector): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}

export const norm = (a: Vector): number => Math.sqrt(dot(a, a));

/** NaN where one of them is 0. */
export const cosine = (a: Vector, b: Vector): number => dot(a, b) / (norm(a) * norm(b));

/** The largest difference, in units of the largest entry of `a`; NaN and infinity show as infinity. */
export function relativeDifference(a: Vector, b: Vector): number {
  let size = 0;
  let difference = 0;
  for (let i = 0; i < a.length; i++) {
    if (!Number.isFinite(a[i]) || !Number.isFinite(b[i])) return Infinity;
    size = Math.max(size, Math.abs(a[i]!));
    difference = Math.max(difference, Math.abs(a[i]! - b[i]!));
  }
  return difference === 0 ? 0 : size === 0 ? Infinity : difference / size;
}

/** The largest magnitude of an entry; 0 if there is none. */
export const largest = (a: Float64Array): number => a.reduce((most, x) => Math.max(most, Math.abs(x)), 0);

export const allFinite = (a: Vector): boolean => Array.from(a).every(Number.isFinite);
