/** The smallest effects that matter on the order of exact updates: a difference that surely lies within is "no effect that matters". */
export const updateOrderEffects = Object.freeze({
  /** Exact returns; the optimum is 1. */
  exactReturn: 0.01,
  /** Share of random trees that are not solved. */
  trees: 0.05,
  /** Iterations to near the optimum. */
  iterations: 1,
});
