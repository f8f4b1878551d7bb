import type { tf } from "../../tensor/backend";

/** TensorFlow.js, as the library exports it. */
export type Tf = typeof tf;

/**
 * Input of a custom loss: tensors of one optimizer step, and a few helpers.
 *
 * N trajectories, at most T turns each, at most L tokens a turn. Log-probs and entropies are in nats. Masked positions hold 0.
 * Derivatives are taken in `logProb_ntl`, `entropy_ntl` and `value_nt`; all else is constant.
 */
export interface LossInput {
  readonly shape: readonly [n: number, t: number, l: number];
  /** Log-probs of the sampled tokens under the policy that learns. */
  readonly logProb_ntl: tf.Tensor3D;
  /** Log-probs when they were sampled, or as the rule's order recomputes them. */
  readonly oldLogProb_ntl: tf.Tensor3D;
  /** The rule's advantage, with its scale, the weights of its correction and the carry of its order. */
  readonly advantage_ntl: tf.Tensor3D;
  /** 1 where the policy sampled a token in one of the turns that this step updates; 0 elsewhere. */
  readonly mask_ntl: tf.Tensor3D;
  /** 1 where a turn has such a token, [N, T]. */
  readonly turnMask_nt: tf.Tensor2D;
  /** Entropy of the next-token distribution at each position. */
  readonly entropy_ntl: tf.Tensor3D;
  /** Log-probs under the frozen reference policy: a copy of the one that training began with. */
  readonly refLogProb_ntl: tf.Tensor3D;
  /** Values before each turn; needs a policy with a value head. A loss that goes through them trains that head alone. */
  readonly value_nt: tf.Tensor2D;
  /** The values before this update's first step. */
  readonly oldValue_nt: tf.Tensor2D;
  /** Target of the rule's critic: the sampled return from each turn on, or GAE's lambda-return. */
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

/**
 * A whole loss, written on tensors as in the paper: one number, to be minimized.
 *
 * ```
 * recipe("grpo", { loss: custom("mine", (tf, x) => ...) })
 * ```
 * It takes the place of ratio, gate, aggregate and regularizers; reward, filter, advantage, scale, order and optimizer are
 * still the rule's. TensorFlow.js differentiates it in log-probs, entropies and values, and the policy's own backward pass
 * carries that to its parameters, so that any policy trains on it. A loss that goes through `value_nt` trains the value head
 * itself; otherwise the rule's critic, if it has one, keeps its own regression.
 *
 * All numbers are doubles, whatever TensorFlow.js calls them, and a constant counts as the decimal that is written: a loss
 * written after a rule of the table gives the records of that rule. (`dataSync()` shows singles, as always.)
 *
 * On 64 short trajectories, an optimizer step takes a third of a millisecond more than in closed form: an update of a network
 * takes 1.3 times as long, of the smallest table 5 times.
 *
 * The function must give the same for the same tensors, at once, and must keep none of them. The first update calls it three
 * times to find out, the third time with other numbers in masked positions, which must not matter.
 *
 * @example
 * import { custom, make, recipe, scriptedBatch, surrogateGradient } from "turnwise";
 * // GSPO: one ratio for each trajectory, the geometric mean of its tokens' ratios
 * const gspo = custom.loss("my gspo", (tf, x) => {
 *   const logRatio = tf.sub(x.logProb_ntl, x.oldLogProb_ntl);
 *   const s = tf.exp(x.maskedMean(logRatio, x.mask_ntl, [1, 2]));
 *   const clipped = tf.clipByValue(s, 1 - 3e-4, 1 + 4e-4);
 *   return tf.neg(x.sequenceMean(tf.minimum(tf.mul(s, x.advantage_ntl), tf.mul(clipped, x.advantage_ntl))));
 * });
 * const batch = scriptedBatch(make("LookUp-v0"), [[["ANSWER", "0"]], [["LOOKUP", "0"], ["ANSWER", "3"]]]);
 * const advantage_ntl = Float64Array.from(batch.mask_ntl, (_, i) => i - 3);
 * const logProb_ntl = batch.oldLogProb_ntl.map((x) => x + 0.1);
 * const input = { ...batch, logProb_ntl, advantage_ntl };
 * surrogateGradient(input, recipe("gspo", { loss: gspo })).loss; // => 0.131
 * surrogateGradient(input, recipe("gspo")).loss; // => 0.131
 *
 * @example
 * import { custom, recipe, train } from "turnwise";
 * // REINFORCE with a value baseline, a value loss and an entropy bonus
 * const actorCritic = custom.loss("actor critic", (tf, x) => {
 *   const surprise = tf.sub(x.valueTarget_nt, x.value_nt);
 *   const advantage = tf.expandDims(x.stopGradient(surprise), 2); // [N, T, 1]: the same for all tokens of a turn
 *   const policy = x.tokenMean(tf.mul(x.logProb_ntl, advantage));
 *   const value = x.turnMean(tf.square(surprise));
 *   return tf.sub(tf.mul(0.5, value), tf.add(policy, tf.mul(0.01, x.tokenMean(x.entropy_ntl))));
 * });
 * const rule = recipe("reinforce", { loss: actorCritic });
 * const run = train({ env: "LookUp-v0", policy: { valueHead: true }, recipe: rule, updates: 1, seed: 1 });
 * (await run.next()).value?.update; // => 1
 */
export type LossFunction = (tf: Tf, x: LossInput) => tf.Tensor;
