import { exp } from "../../../base/elementary/exp";
import { tf } from "../../../tensor/backend";
import type { KlShape } from "./contract";

type Direction = KlShape["direction"];

/** A softmax cell's log-probs under two policies: `size` of them from `at` on, in nats. */
export interface TwoDistributions {
  readonly logProbs: ArrayLike<number>;
  readonly others: ArrayLike<number>;
  readonly at: number;
  readonly size: number;
}

/**
 * The divergence of two distributions over the vocabulary, in nats.
 *
 * ```
 * reverse  sum_v p_v (log p_v - log q_v)       forward  sum_v q_v (log q_v - log p_v)
 * ```
 * with 0 log 0 = 0; infinite where a token has a chance that the other policy gives none.
 */
export function exactKl(direction: Direction, { logProbs, others, at, size }: TwoDistributions): number {
  const [p, q] = direction === "reverse" ? [logProbs, others] : [others, logProbs];
  let sum = 0;
  for (let v = at; v < at + size; v++) {
    const chance = exp(p[v]!);
    if (chance > 0) sum += chance * (p[v]! - q[v]!);
  }
  return sum;
}

/**
 * Adds the divergence's derivative in the logits of p, times `scale`, to `into`.
 *
 * ```
 * reverse  p_v (log p_v - log q_v - KL)        forward  p_v - q_v
 * ```
 */
export function addExactKlGradient(
  direction: Direction,
  { logProbs, others, at, size }: TwoDistributions,
  kl: number,
  scale: number,
  into: Float64Array,
): void {
  for (let v = at; v < at + size; v++) {
    const chance = exp(logProbs[v]!);
    if (direction === "forward") into[v]! += scale * (chance - exp(others[v]!));
    else if (chance > 0) into[v]! += scale * chance * (logProbs[v]! - others[v]! - kl);
  }
}

/** The same on tensors [..., V] of log-probs, differentiable in those of the present policy. */
export function exactKlTensor(direction: Direction, logProbs: tf.Tensor, others: tf.Tensor): tf.Tensor {
  const reverse = direction === "reverse";
  /** p (log p - log q), and 0 where p is 0, whatever log q is. */
  const terms = (log: tf.Tensor, otherLog: tf.Tensor): tf.Tensor => {
    const chance = tf.exp(log);
    const possible = tf.greater(chance, 0);
    return tf.where(possible, tf.mul(chance, tf.sub(log, otherLog)), tf.zerosLike(log));
  };
  // By hand, since TensorFlow.js takes no gradient past a comparison.
  const divergence = tf.customGrad((...inputs) => {
    const [now, other, save] = inputs as [tf.Tensor, tf.Tensor, (kept: tf.Tensor[]) => void];
    save([now, other]);
    const value = tf.sum(reverse ? terms(now, other) : terms(other, now), -1);
    const gradFunc = (dy: tf.Tensor, kept: tf.Tensor[]): tf.Tensor[] => {
      const [a, b] = kept as [tf.Tensor, tf.Tensor];
      const slope = reverse ? tf.add(terms(a, b), tf.exp(a)) : tf.neg(tf.exp(b));
      return [tf.mul(tf.expandDims(dy, -1), slope), tf.zerosLike(b)];
    };
    return { value, gradFunc };
  });
  return divergence(logProbs, others);
}
