import { expm1 } from "../../../base/elementary/expm1";
import type { Estimator } from "./contract";

/** Right on average where p draws the tokens, and never negative; the mean of its slope is that of KL(q || p). */
export const k3: Estimator = {
  equation: "e^d-1-d",
  source:
    'Schulman, "Approximating KL divergence" (2020), http://joschu.net/blog/kl-approx.html; GRPO, arXiv 2402.03300, Eq. 4',
  value: (d) => expm1(d) - d,
  slope: (d) => -expm1(d),
  slopeAlone: false,
  borrowsSlope: false,
};
