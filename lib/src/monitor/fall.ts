const WINDOW = 10;
const ROSE = 0.6;
const FELL = 0.75;

/**
 * The first update (from 1) at which the mean success of the latest 10 updates is below 75 % of its highest value so far,
 * provided that this was above .6; null if the run never fell. `highest` replaces the .6.
 *
 * Values that are not finite do not count in the mean.
 */
export function fallOf(success: readonly (number | undefined)[], highest = ROSE): number | null {
  let best = 0;
  for (let end = WINDOW; end <= success.length; end++) {
    const mean = meanOf(success.slice(end - WINDOW, end));
    if (mean === undefined) continue;
    best = Math.max(best, mean);
    if (best > highest && mean < FELL * best) return end;
  }
  return null;
}

function meanOf(values: readonly (number | undefined)[]): number | undefined {
  const finite = values.filter((x): x is number => x !== undefined && Number.isFinite(x));
  return finite.length === 0 ? undefined : finite.reduce((a, b) => a + b, 0) / finite.length;
}
