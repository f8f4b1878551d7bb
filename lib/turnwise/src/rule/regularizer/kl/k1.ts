import type { Estimator } from "./contract";

/** The log-ratio itself: right on average where p draws the tokens, but its slope then has a mean of 0. */
export const k1: Estimator = {
  equation: "-d",
  source: 'Schulman, "Approximating KL divergence" (2020), http://joschu.net/blog/kl-approx.html',
  value: (d) => -d,
  slope: () => 1,
  slopeAlone: false,
  borrowsSlope: false,
};
