/** The smallest effects that matter on the impossibility theorem: a difference that surely lies within is "no effect that matters". */
export const impossibilityEffects = Object.freeze({
  /** Exact returns of these games, whose optima lie between .2 and 1.2: a hundredth. */
  exactReturn: 0.01,
  /** Swing of the return over the second half of training, beyond which it has not settled. */
  swing: 0.05,
  /** Share of random trees on which the return may fall unseen: "never" is judged by it. */
  trees: 0.05,
  /** Share of runs. */
  runs: 0.1,
});
