/**
 * The smallest effects that matter where models of worlds are judged, named before the runs: what a reader would change a training
 * run for. A difference that surely lies within is "no effect that matters".
 */
export const worldModelEffects = Object.freeze({
  /** Score of trained policies in the true world, exact: random agent 0, optimum 1. */
  score: 0.05,
  /** Promise of a model to its policy beyond the world's reward, as a share of the way from the random agent to the optimum. */
  promise: 0.05,
});

/** The smallest effects that matter where a team's return is divided, named before the runs. */
export const shapleyEffects = Object.freeze({
  /** Total reward from marginals, as a share of the available reward. */
  share: 0.1,
  /** Cosine of a direction with the exact gradient, as in lesson 06. */
  cosine: 0.05,
});

/** The smallest effects that matter where episodes are branched, named before the runs. */
export const branchingEffects = Object.freeze({
  /** Logarithm of a ratio of variances: a tenth more steps for the same noise. */
  logVariance: 0.1,
  /** Cosine of a batch's step with the exact gradient, as in lesson 06. */
  cosine: 0.05,
});

/** The smallest effects that matter where a team is paid for what would be lost without each agent, named before the runs. */
export const sharpEffects = Object.freeze({
  /** Score of the team after a share of its budget, exact: random agents 0, optimum 1. */
  score: 0.05,
});
