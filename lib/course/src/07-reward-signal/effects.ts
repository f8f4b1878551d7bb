/**
 * The smallest effects that matter in notebook 07: what a reader would change a reward for. Named before the runs; a difference
 * that surely lies within is "no effect that matters".
 */
export const rewardSignalEffects = Object.freeze({
  /** True score, success or return on a maze, at the end or as a mean over all updates: all of them reach from 0 to 1. */
  score: 0.05,
  /** Reward, which has an optimum of 1 as well. */
  paid: 0.05,
  /** Exact scores and returns, of which the best is 1. */
  exact: 0.01,
  /** Weight of the truth in a mixture of rewards: what is called a little. */
  littleTruth: 0.1,
});
