import type { tf } from "../../tensor/backend";

/** TensorFlow.js, as the library exports it. */
export type Tf = typeof tf;

/**
 * What a whole loss is written on: tensors of one optimiser step, and a few helpers.
 *
 * N trajectories, at most T turns each, at most L tokens a turn. Log-probs and entropies are in nats. Masked cells hold 0.
 * Derivatives are taken in `logProb_ntl`, `entropy_ntl` and `value_nt`; all else is constant.
 */
export interface LossInput {
  readonly shape: readonly [n: number, t: number, l: number];
  /** Log-probs of the sampled tokens under the policy that learns. */
  readonly logProb_ntl: tf.Tensor3D;
  /** Log-probs when they were sampled, or as the row's order recomputes them. */
  readonly oldLogProb_ntl: tf.Tensor3D;
  /** The row's advantage, with its scale and the carry of its order. */
  readonly advantage_ntl: tf.Tensor3D;
  /** 1 where the policy sampled a token in one of the turns that this step updates; 0 elsewhere. */
  readonly mask_ntl: tf.Tensor3D;
  /** 1 where a turn has such a token, [N, T]. */
  readonly turnMask_nt: tf.Tensor2D;
  /** Entropy of the next-token distribution in each cell. */
  readonly entropy_ntl: tf.Tensor3D;
  /** Log-probs under the frozen reference policy: a copy of the one that training began with. */
  readonly refLogProb_ntl: tf.Tensor3D;
  /** Values before each turn; needs a policy with a value head. A loss that goes through them trains that head alone. */
  readonly value_nt: tf.Tensor2D;
  /** The values before this update's first step. */
  readonly oldValue_nt: tf.Tensor2D;
  /** What the row's critic regresses to: the sampled return from each turn on, or GAE's lambda-return. */
  readonly valueTarget_nt: tf.Tensor2D;

  /** Sum over the mask / all sampled tokens of the minibatch: the same denominator in every step of a turn-by-turn order. */
  tokenMean(x_ntl: tf.Tensor): tf.Scalar;
  /** The mean over trajectories of the mean over their tokens; the denominators count all turns, as in `tokenMean`. */
  sequenceMean(x_ntl: tf.Tensor): tf.Scalar;
  /** The mean over the turns that this step updates, of [N, T]. */
  turnMean(x_nt: tf.Tensor): tf.Scalar;
  /** Sum of mask * x / sum of mask, over all axes or the given ones, which stay with length 1; 0 where the mask is empty. */
  maskedMean(x: tf.Tensor, mask: tf.Tensor, axes?: readonly number[]): tf.Tensor;
  /** The same numbers as a constant: no gradient goes through them. */
  stopGradient<X extends tf.Tensor>(x: X): X;
}

/** A whole loss: one number, to be minimised. */
export type LossFunction = (tf: Tf, x: LossInput) => tf.Tensor;
