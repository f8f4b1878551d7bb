import { tf } from "../../../tensor/backend";
import type { Estimator } from "./contract";

/** The log-ratio itself: right on average, but as a loss it has a gradient of 0 on average. */
export const k1: Estimator = {
  equation: "-d",
  source: 'Schulman, "Approximating KL divergence" (2020), http://joschu.net/blog/kl-approx.html',
  value: (d) => -d,
  slope: () => 1,
  tensor: (d) => tf.neg(d),
};
