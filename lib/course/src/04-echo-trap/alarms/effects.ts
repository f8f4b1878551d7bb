/** The smallest effects of interest, named before the runs: below them a difference does not matter. */
export const smallestEffects = Object.freeze({
  /** Of an area under the ROC curve above .5, and of its difference between two alarms. */
  area: 0.1,
  /** Of the share of falls that an alarm warns of, minus the share of false alarms. */
  warned: 0.1,
});
