/** The smallest effects that matter in notebook 05: a difference that surely lies within is "no effect that matters". */
export const offPolicyEffects = Object.freeze({
  /** Final success, or mean reward whose optimum is 1. */
  success: 0.05,
  /** Bias of a gradient estimate, as a share of the exact gradient's length. */
  bias: 0.05,
  /** Root mean square error of one batch's estimate, likewise. */
  error: 0.05,
  /** Factor between two spreads or norms, as a difference of natural logarithms: a tenth. */
  logRatio: 0.1,
  /** Share of ratios outside the clip. */
  share: 0.1,
});
