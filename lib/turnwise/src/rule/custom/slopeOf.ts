/** Wide enough for rounding, narrow enough for bends: a slope is right to about ten digits. */
const step = 1e-5;

/** The slope of a custom function where it gives none, by central differences; at a kink, the mean of both sides. */
export const slopeOf = (f: (x: number) => number, x: number): number =>
  (f(x + step) - f(x - step)) / (x + step - (x - step));
