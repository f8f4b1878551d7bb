import { log } from "turnwise/internal/base/elementary/log";

/**
 * The smallest effects that matter in the study of teachers: what a reader would change a training run for. Named before the runs; a
 * difference that surely lies within is "no effect that matters".
 */
export const teacherEffects = Object.freeze({
  /** Scores and success rates, from random 0 to optimal 1; shares of tasks. */
  score: 0.05,
  /** Logarithm of a ratio of costs: half as much again. */
  logCost: log(1.5),
  /** An accuracy that is read off a partition function. */
  accuracy: 0.05,
});
