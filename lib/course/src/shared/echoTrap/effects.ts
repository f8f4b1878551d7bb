/**
 * The smallest effects that matter in notebooks 03 and 04: what a reader would change a training run for. Named before the runs; a
 * difference that surely lies within is "no effect that matters".
 */
export const echoTrapEffects = Object.freeze({
  /** Final success, from 0 to 1. */
  success: 0.05,
  /** Shares of runs, and of stretches of a run. */
  share: 0.1,
  /** Rewards in RAGEN's worlds, as a share of the way from the random agent to the optimum. */
  reward: 0.05,
});
