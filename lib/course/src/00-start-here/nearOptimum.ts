import type { SeedRuns } from "turnwise/internal/sweep/index";

/** Distance from the optimum, as a share of it, within which a run counts as near. */
const NEAR = 0.05;

/**
 * States how many seeds end within 5% of the optimum: a title for their learning curve.
 *
 * @example
 * import { trainSeeds } from "turnwise";
 * import { nearOptimum } from "turnwise-course/start-here";
 * const runs = await trainSeeds({ env: "LookUp-v0", recipe: "grpo", updates: 2, exactEvery: 1 }, 3);
 * nearOptimum(runs, 1); // => "0 of 3 seeds end within 5% of the optimum"
 */
export function nearOptimum(runs: SeedRuns, optimum: number): string {
  const ends = runs.final("return/exact").values;
  const near = ends.filter((end) => optimum - end <= NEAR * Math.abs(optimum));
  return `${String(near.length)} of ${String(ends.length)} seeds end within 5% of the optimum`;
}
