import { bootstrapInterval } from "turnwise/internal/base/interval";
import type { Chart } from "turnwise/internal/plot/chart";
import { estimateChart } from "turnwise/internal/plot/estimateChart";
import { numbers } from "../shared/samples";
import type { StoredRecord } from "../shared/storedTable";

const worlds = { lookUp: "LookUp", lake: "FrozenLake", sokoban: "Sokoban" } as const;
const arms = {
  "best of four": "the best of every four",
  "all 32": "all 32",
  "8 and four times the updates": "8, four times the updates",
} as const;

/**
 * Chart of how agents end that learn from the best of every four tries, next to the same tries without a choice: rows of
 * `datasets/measured/systems-sampled.csv`.
 *
 * @throws {RangeError} if there is no such row
 */
export function drawBestOf(stored: readonly StoredRecord[]): Chart {
  const estimates = Object.entries(worlds).flatMap(([world, group]) =>
    Object.entries(arms).map(([arm, label]) => {
      const runs = numbers(
        stored.filter((row) => row["world"] === world && row["arm"] === arm),
        "success",
      );
      return { group, label, runs, ...bootstrapInterval(runs) };
    }),
  );
  const [best, all] = estimates.map(({ mean }) => mean.toFixed(2));
  return estimateChart(estimates, {
    title: `In LookUp, learning from the best of four ends at ${best!}, from all at ${all!}`,
    subtitle: `equally many tries; dots: ${estimates[0]!.runs.length} seeds; diamond and bar: mean, 95 % interval`,
    xTitle: "success over the last ten updates",
    domain: [0, 1],
  });
}
