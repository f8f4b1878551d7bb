import { number, oneOf } from "../../../schema";
import { tf } from "../../../tensor/backend";
import { named } from "../../part";
import type { Estimator } from "./contract";
import { k1 } from "./k1";
import { k2 } from "./k2";
import { k3 } from "./k3";

/** Every estimator of a divergence. */
export const estimators = { k1, k2, k3 } satisfies Readonly<Record<string, Estimator>>;

export type KlEstimator = keyof typeof estimators;

const about = { help: "How a divergence is estimated from one sampled token." };
export const estimator = oneOf<KlEstimator>(["k3", "k1", "k2"], about);
export const plainestEstimator = oneOf<KlEstimator>(["k1", "k2", "k3"], about);

export const klCoef = number(0.001, {
  atLeast: 0,
  help: "Weight of the divergence.",
  slider: { min: 1e-4, max: 1, log: true },
});

/** The estimate from one sampled token and its derivative in log pi, in nats. */
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
