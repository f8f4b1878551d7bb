import { number, oneOf } from "../../schema";
import { tf } from "../../tensor/backend";
import { named } from "../part";

/** Estimates KL(pi || pi_other) from one sampled token, with d = log pi_other - log pi, in nats. */
interface Estimator {
  readonly value: (d: number) => number;
  /** Derivative of the value in log pi. */
  readonly slope: (d: number) => number;
  readonly tensor: (d: tf.Tensor) => tf.Tensor;
}

/**
 * ```
 * k1 = -d              slope  1
 * k2 = d^2 / 2         slope -d
 * k3 = exp(d) - 1 - d  slope 1 - exp(d)
 * ```
 */
const estimators = {
  k1: { value: (d) => -d, slope: () => 1, tensor: (d) => tf.neg(d) },
  k2: { value: (d) => (d * d) / 2, slope: (d) => -d, tensor: (d) => tf.div(tf.square(d), 2) },
  k3: {
    value: (d) => Math.expm1(d) - d,
    slope: (d) => -Math.expm1(d),
    tensor: (d) => tf.sub(tf.expm1(d), d),
  },
} satisfies Readonly<Record<string, Estimator>>;

export type KlEstimator = keyof typeof estimators;

const about = { help: "How a divergence is estimated from one sampled token." };
export const estimator = oneOf<KlEstimator>(["k3", "k1", "k2"], about);
export const plainestEstimator = oneOf<KlEstimator>(["k1", "k2", "k3"], about);

export const klCoef = number(0.001, {
  atLeast: 0,
  help: "Weight of the divergence.",
  slider: { min: 1e-4, max: 1, log: true },
});

/**
 * The estimate and its derivative in log pi.
 *
 * k1 has the right value but, used as a loss, no information in its gradient; k2 and k3 are never negative.
 *
 * @see Schulman, "Approximating KL divergence" (2020), http://joschu.net/blog/kl-approx.html; GRPO, arXiv 2402.03300 (k3)
 */
export function klEstimate(
  name: KlEstimator,
  logProb: number,
  other: number,
): { value: number; slope: number } {
  const { value, slope } = named<Estimator>(estimators, "the estimator", name);
  const d = other - logProb;
  return { value: value(d), slope: slope(d) };
}

/** The estimate on tensors, differentiable in log pi. */
export function klTensor(name: KlEstimator, logProb: tf.Tensor, other: tf.Tensor): tf.Tensor {
  return named<Estimator>(estimators, "the estimator", name).tensor(tf.sub(other, logProb));
}
