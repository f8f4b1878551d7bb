import type { Estimator } from "./contract";
import { k2 } from "./k2";
import { k3 } from "./k3";

/** The value of k3 with the slope of k2, so that both are right on average where p draws the tokens. */
export const k3plus: Estimator = {
  equation: String.raw`e^d-1-d,\quad \nabla\,\tfrac12 d^2`,
  source:
    'Schulman, "Approximating KL divergence" (2020), http://joschu.net/blog/kl-approx.html; verl 0.9.1, verl/trainer/ppo/core_algos.py:2211-2213 (kl_penalty with a +), github.com/volcengine/verl',
  value: k3.value,
  slope: k2.slope,
  slopeAlone: true,
  borrowsSlope: true,
};
