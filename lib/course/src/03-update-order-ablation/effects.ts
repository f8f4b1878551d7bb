/** The smallest effects that matter on the order of updates: a difference that surely lies within is "no effect that matters". */
export const updateOrderEffects = Object.freeze({
  /** Success of trained policies, and a reward whose optimum is 1. */
  success: 0.05,
  /** Exact returns; the optimum is 1. */
  exactReturn: 0.01,
  /** Share of random trees that are not solved. */
  trees: 0.05,
  /** Iterations to near the optimum. */
  iterations: 1,
});
