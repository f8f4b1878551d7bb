import { exp } from "../../../base/elementary/exp";
import type { KlShape } from "./contract";

type Direction = KlShape["direction"];

/** Log-probs of one softmax under two policies: `size` of them from `at` on, in nats. */
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
