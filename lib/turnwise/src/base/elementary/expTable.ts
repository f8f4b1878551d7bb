import { fixed, logOfFraction, nearest, ONE, split, squareRoot, times } from "./fixedPoint";

/** Steps from one power of 2 to the next. */
export const STEPS = 128;
/** 2^(i / STEPS) as a sum of two doubles. */
export const head = new Float64Array(STEPS);
export const tail = new Float64Array(STEPS);
/** 2^(i - 1074): multiplying by one is exact wherever the product is no subnormal. */
export const powerOfTwo = new Float64Array(2098);

const ln2 = logOfFraction(2n, 1n);
/** ln 2 / STEPS as a sum of two doubles; a product of the first with a whole number below 2^18 is exact. */
export const { head: stepHead, tail: stepTail } = split(ln2 / BigInt(STEPS), 42n);
export const stepsPerNat = nearest((ONE * ONE * BigInt(STEPS)) / ln2);

let root = 2n * ONE;
for (let n = STEPS; n > 1; n /= 2) root = squareRoot(root);
for (let i = 0, value = ONE; i < STEPS; i++, value = times(value, root)) {
  head[i] = nearest(value);
  tail[i] = nearest(value - fixed(head[i]!));
}
for (let i = 0, value = Number.MIN_VALUE; i < powerOfTwo.length; i++, value *= 2) powerOfTwo[i] = value;
