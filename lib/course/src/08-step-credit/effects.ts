/**
 * The smallest effects that matter in notebook 08: what a reader would change a step reward for. Named before the runs; a difference
 * that surely lies within is "no effect that matters".
 */
export const stepCreditEffects = Object.freeze({
  /** Success, at the end or as a mean over all updates: it reaches from 0 to 1. */
  score: 0.05,
  /** Share of turns that a verifier calls false. */
  falseSteps: 0.05,
  /** Share of a judge's votes that are right. */
  judge: 0.05,
  /** Cosine of a gradient with the exact one. */
  cosine: 0.05,
  /** An exact cosine: how far from 1 is called a bias. */
  exactCosine: 0.01,
});
