import type { LossFunction, LossInput, Tf } from "turnwise/internal/rule/loss/contract";
import type { tf } from "turnwise";

/** Losses as their papers write them, for the tests that compare them with the rows of the table. */

const tokenRatio = (tf: Tf, x: LossInput): tf.Tensor => tf.exp(tf.sub(x.logProb_ntl, x.oldLogProb_ntl));

/** PPO, arXiv 1707.06347, Eq. 7. */
const clipped = (tf: Tf, ratio: tf.Tensor, A: tf.Tensor, low: number, high: number): tf.Tensor =>
  tf.minimum(tf.mul(ratio, A), tf.mul(tf.clipByValue(ratio, 1 - low, 1 + high), A));

/** GRPO, arXiv 2402.03300, Eq. 3: the mean over answers of the mean over their tokens. */
export const grpo: LossFunction = (tf, x) =>
  tf.neg(x.sequenceMean(clipped(tf, tokenRatio(tf, x), x.advantage_ntl, 0.2, 0.2)));

/** GSPO, arXiv 2507.18071: s_i = exp(mean of the log-ratios of answer i). */
export const gspo: LossFunction = (tf, x) => {
  const logRatio = tf.sub(x.logProb_ntl, x.oldLogProb_ntl);
  const s = tf.exp(x.maskedMean(logRatio, x.mask_ntl, [1, 2]));
  return tf.neg(x.sequenceMean(clipped(tf, s, x.advantage_ntl, 3e-4, 4e-4)));
};

/** SAPO, arXiv 2511.20347: a sigmoid instead of the clip. */
export const sapo: LossFunction = (tf, x) => {
  const A = x.advantage_ntl;
  const tau = tf.where(tf.greater(A, 0), tf.fill([...x.shape], 1), tf.fill([...x.shape], 1.05));
  const f = tf.mul(tf.div(4, tau), tf.sigmoid(tf.mul(tau, tf.sub(tokenRatio(tf, x), 1))));
  return tf.neg(x.sequenceMean(tf.mul(f, A)));
};

/** PPO's policy loss. */
export const ppoPolicy: LossFunction = (tf, x) =>
  tf.neg(x.tokenMean(clipped(tf, tokenRatio(tf, x), x.advantage_ntl, 0.2, 0.2)));

/** PPO with its value loss, which the trainer halves, as most implementations do. */
export const ppo =
  (valueCoef: number): LossFunction =>
  (tf, x) => {
    const value = x.turnMean(tf.div(tf.squaredDifference(x.value_nt, x.valueTarget_nt), 2));
    return tf.add(ppoPolicy(tf, x), tf.mul(valueCoef, value));
  };

/** GRPO with KL to the reference (k3) and an entropy bonus. */
export const regularized: LossFunction = (tf, x) => {
  const d = tf.sub(x.refLogProb_ntl, x.logProb_ntl);
  const k3 = tf.sub(tf.expm1(d), d);
  const terms = tf.sub(tf.mul(0.1, k3), tf.mul(0.02, x.entropy_ntl));
  return tf.add(grpo(tf, x), x.sequenceMean(terms));
};

/** CISPO, arXiv 2506.13585: the clipped ratio is a constant weight of log pi. */
export const cispo: LossFunction = (tf, x) => {
  const weight = x.stopGradient(tf.clipByValue(tokenRatio(tf, x), 0, 1.2));
  return tf.neg(x.tokenMean(tf.mul(tf.mul(weight, x.advantage_ntl), x.logProb_ntl)));
};
