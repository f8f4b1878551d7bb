import type { KlEstimator } from "../recipe";

/**
 * Estimate of KL(pi || pi_other) from one sampled token, with d = log pi_other - log pi, and its derivative in log pi.
 *
 * ```
 * k1 = -d            slope  1
 * k2 = d^2 / 2       slope -d
 * k3 = exp(d) - 1 - d   slope 1 - exp(d)
 * ```
 *
 * In nats. k1 has the right value but, used as a loss, no information in its gradient; k2 and k3 are never negative.
 *
 * @see Schulman, "Approximating KL divergence" (2020) [S]; GRPO, arXiv 2402.03300 (k3) [P]
 */
export function klEstimate(
  estimator: KlEstimator,
  logProb: number,
  other: number,
): { value: number; slope: number } {
  const d = other - logProb;
  switch (estimator) {
    case "k1":
      return { value: -d, slope: 1 };
    case "k2":
      return { value: (d * d) / 2, slope: -d };
    case "k3":
      return { value: Math.expm1(d) - d, slope: -Math.expm1(d) };
  }
}
