/** Number of updates over which success is averaged. */
export const WINDOW = 10;
/** A mean that was never above this cannot fall. */
export const ROSE = 0.6;
const FELL = 0.75;

/** Whether and when a run's success rose and fell; updates count from 1. */
export interface Course {
  /** The mean success of 10 updates was above .6 at some time: only such a run can fall. */
  readonly rose: boolean;
  /** As `fallOf` says. */
  readonly fall: number | null;
  /** The first of the 10 updates that made the fall whose own success is below 75% of the best mean so far. */
  readonly onset: number | null;
}

/**
 * The first update (from 1) at which the mean success of the latest 10 updates is below 75% of its highest value so far,
 * provided that this was above .6; null if the run never fell. `highest` replaces the .6.
 *
 * Values that are not finite do not count in the mean.
 */
export function fallOf(success: readonly (number | undefined)[], highest = ROSE): number | null {
  return courseOf(success, highest).fall;
}

/**
 * The fall as `fallOf` says it, and its onset: by the time the mean has fallen, success has been low for up to 10 updates,
 * and an alarm that goes off meanwhile recognizes a fall, but does not foretell it.
 */
export function courseOf(success: readonly (number | undefined)[], highest = ROSE): Course {
  let best = 0;
  for (let end = WINDOW; end <= success.length; end++) {
    const mean = meanOf(success.slice(end - WINDOW, end));
    if (mean === undefined) continue;
    best = Math.max(best, mean);
    if (best > highest && mean < FELL * best) {
      const low = success.findIndex((x, i) => i >= end - WINDOW && x !== undefined && x < FELL * best);
      return { rose: true, fall: end, onset: low + 1 };
    }
  }
  return { rose: best > highest, fall: null, onset: null };
}

function meanOf(values: readonly (number | undefined)[]): number | undefined {
  const finite = values.filter((x): x is number => x !== undefined && Number.isFinite(x));
  return finite.length === 0 ? undefined : finite.reduce((a, b) => a + b, 0) / finite.length;
}
