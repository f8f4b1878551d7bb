/**
 * The smallest effects that matter where models of worlds are judged, named before the runs: what a reader would change a training
 * run for. A difference that surely lies within is "no effect that matters".
 */
export const worldModelEffects = Object.freeze({
  /** Score of trained policies in the true world, exact: random agent 0, optimum 1. */
  score: 0.05,
  /** What a model promises its policy beyond what the world pays, as a share of the way from the random agent to the optimum. */
  promise: 0.05,
});
