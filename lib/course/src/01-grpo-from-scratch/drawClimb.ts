import { mean } from "turnwise/internal/base/statistics";
import type { Chart } from "turnwise/internal/plot/chart";
import { learningCurve } from "turnwise/internal/plot/learningCurve";
import { bySeries, runsOf, type NamedRun, type Runs } from "turnwise/internal/sweep/runsOf";

const metric = "return/exact";
/** Return at which the curves are compared; the best is 1. */
const aim = 0.9;

/**
 * Learning curves of the exact return. The title gives the first update at which the mean over a rule's seeds is .9 or more.
 *
 * @throws {TypeError} if these are no runs
 * @throws {RangeError} if no run has `return/exact`
 * @example
 * import { trainSeeds } from "turnwise";
 * import { drawClimb } from "turnwise-course/grpo-from-scratch";
 * drawClimb(await trainSeeds({ env: "LookUp-v0", recipe: "grpo", updates: 5, exactEvery: 1 }, 3));
 */
export function drawClimb(runs: Runs): Chart {
  const series = [...bySeries(runsOf(runs, "draw how returns climb"))];
  const arrivals = series.map(([name, own]) => {
    const update = arrival(own);
    const when = update === undefined ? "never" : String(update);
    return series.length === 1 ? when : `${when} (${name})`;
  });
  return learningCurve(runs, {
    metric,
    optimum: 1,
    title: `Updates to ${String(aim)}: ${arrivals.join(", ")}`,
  });
}

/** The first update at which the mean over the seeds has reached the aim. */
function arrival(runs: readonly NamedRun[]): number | undefined {
  const returns = new Map<number, number[]>();
  for (const { update, metrics } of runs.flatMap(({ records }) => records)) {
    const value = metrics[metric];
    if (value !== undefined) returns.set(update, [...(returns.get(update) ?? []), value]);
  }
  const updates = [...returns.keys()].sort((a, b) => a - b);
  return updates.find((update) => {
    const values = returns.get(update)!;
    return values.length === runs.length && mean(values) >= aim;
  });
}
