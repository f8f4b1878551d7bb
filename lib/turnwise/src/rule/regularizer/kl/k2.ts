import type { Estimator } from "./contract";

/** Half of the squared log-ratio: biased by little where the policies are close, with a slope that is right on average where p draws the tokens. */
export const k2: Estimator = {
  equation: String.raw`\tfrac12 d^2`,
  source: 'Schulman, "Approximating KL divergence" (2020), http://joschu.net/blog/kl-approx.html',
  value: (d) => (d * d) / 2,
  slope: (d) => -d,
  slopeAlone: true,
  borrowsSlope: false,
};
