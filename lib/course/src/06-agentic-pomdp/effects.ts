/**
 * The smallest effects that matter in notebook 06: what a reader would change a training run for. Named before the runs; a
 * difference that surely lies within is "no effect that matters".
 */
export const agenticPomdpEffects = Object.freeze({
  /** Success or score of trained policies, from random 0 to optimal 1: at the end, or as a mean over all updates. */
  score: 0.05,
  /** Cosine of a gradient with the exact one, and correlation of credit with exact advantages. */
  cosine: 0.05,
  /** Shares of turns. */
  share: 0.1,
  /** Exact returns, as a share of the way from the random agent to the optimum. */
  exactReturn: 0.01,
  /** An exact advantage, as a share of the largest return. */
  exactAdvantage: 0.01,
  /** Logarithm of a ratio of variances: a tenth more batches for the same noise. */
  logVariance: 0.1,
});
