import { exp } from "./elementary/exp";
import { log } from "./elementary/log";
import { log1p } from "./elementary/log1p";
/** The distributions behind intervals: Student's t, the beta distribution (for shares) and the normal. */

/** ln Gamma(x) for x > 0 by Lanczos' series (g = 7, nine terms), relative error below 1e-14. */
function logGamma(x: number): number {
  const series = [
    676.5203681218851, -1259.1392167224028, 771.3234287776531, -176.6150291621406, 12.507343278686905,
    -0.13857109526572012, 9.984369578019572e-6, 1.5056327351493116e-7,
  ];
  const z = x - 1;
  const sum = series.reduce((total, c, i) => total + c / (z + i + 1), 0.9999999999998099);
  const t = z + 7.5;
  return 0.9189385332046727 + (z + 0.5) * log(t) - t + log(sum);
}

/** The continued fraction of the incomplete beta function, by Lentz' method. */
function betaFraction(a: number, b: number, x: number): number {
  const tiny = 1e-300;
  const apart = (y: number): number => (Math.abs(y) < tiny ? tiny : y);
  let c = 1;
  let d = 1 / apart(1 - ((a + b) * x) / (a + 1));
  let value = d;
  for (let m = 1; m <= 1000; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / apart(1 + even * d);
    c = apart(1 + even / c);
    value *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / apart(1 + odd * d);
    c = apart(1 + odd / c);
    value *= d * c;
    if (Math.abs(d * c - 1) < 1e-15) break;
  }
  return value;
}

/**
 * P(X <= x) of the beta distribution with parameters a, b > 0.
 *
 * @see Numerical Recipes, section 6.4
 */
export function betaCdf(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const front = exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * log(x) + b * log1p(-x));
  return x < (a + 1) / (a + b + 2)
    ? (front * betaFraction(a, b, x)) / a
    : 1 - (front * betaFraction(b, a, 1 - x)) / b;
}

/** The x in [0, 1] with betaCdf(x) = p, to 1e-16. */
export function betaQuantile(p: number, a: number, b: number): number {
  return bisect((x) => betaCdf(x, a, b) >= p, 0, 1);
}

/** The t >= 0 with P(|T| <= t) = level: 2.26 for a level of .95 and 9 degrees of freedom. */
export function studentQuantile(level: number, df: number): number {
  // P(|T| >= t) = I_x(df/2, 1/2) with x = df / (df + t^2).
  const x = betaQuantile(1 - level, df / 2, 0.5);
  return Math.sqrt(df * (1 / x - 1));
}

/** The z >= 0 with P(|Z| <= z) = level: 1.96 for .95. */
export function normalQuantile(level: number): number {
  return bisect((z) => 2 * normalCdf(-z) <= 1 - level, 0, 40);
}

/** P(Z <= z) of the standard normal distribution. */
export function normalCdf(z: number): number {
  // z^2 / 2 follows a gamma distribution of shape 1/2: its series near 0, a continued fraction beyond.
  const y = (z * z) / 2;
  const upper = y < 3 ? 1 - gammaSeries(y) : gammaFraction(y);
  return z > 0 ? 1 - upper / 2 : upper / 2;
}

const rootPi = 1.772453850905516;

/** P(1/2, y), the lower incomplete gamma function of shape 1/2. */
function gammaSeries(y: number): number {
  let term = 2;
  let sum = term;
  for (let n = 1; n < 200 && term > 1e-17 * sum; n++) sum += term *= y / (n + 0.5);
  return (sum * exp(-y) * Math.sqrt(y)) / rootPi;
}

/** Q(1/2, y), the upper one. */
function gammaFraction(y: number): number {
  let fraction = 0;
  for (let n = 60; n > 0; n--) fraction = (n * (n - 0.5)) / (y + 2 * n + 0.5 - fraction);
  return (exp(-y) * Math.sqrt(y)) / (rootPi * (y + 0.5 - fraction));
}

/** The border in [low, high] from which on `isAbove` is true. */
export function bisect(isAbove: (x: number) => boolean, low: number, high: number, steps = 100): number {
  for (let i = 0; i < steps; i++) {
    const middle = (low + high) / 2;
    if (middle === low || middle === high) break;
    if (isAbove(middle)) high = middle;
    else low = middle;
  }
  return (low + high) / 2;
}
