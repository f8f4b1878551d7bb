import { monotonicityGrid, regimes, type GridCell } from "turnwise/internal/exact/monotonicityGrid";
import type { SweepTask } from "turnwise/internal/sweep/plan";

/** A cell of the grid as plain data; trees of falls can be found again from the seed. */
export type GridCount = Pick<GridCell, "advantage" | "update" | "regime" | "decreases" | "trees" | "worst">;

/** One regime of `monotonicityGrid` as the task of a sweep. */
export const gridTask: SweepTask = Object.freeze({ module: "turnwise-course/jobs", export: "gridJob" });

/**
 * `monotonicityGrid` in one of its regimes, as a job of `sweep`.
 *
 * @throws {RangeError} if the regime is unknown
 * @public
 */
export function gridJob({
  regime,
  trees,
  seed,
}: {
  regime: string;
  trees: number;
  seed: number;
}): GridCount[] {
  const place = regimes.find(({ name }) => name === regime);
  if (!place) {
    throw new RangeError(
      `Cannot examine a regime: it must be one of ${regimes.map(({ name }) => `"${name}"`).join(", ")}, ` +
        `got "${regime}".`,
    );
  }
  return monotonicityGrid({ trees, seed, regimes: [place] }).map(
    ({ counterexample: _counterexample, rate: _rate, ...count }) => count,
  );
}
