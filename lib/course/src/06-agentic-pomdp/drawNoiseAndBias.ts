import { bootstrapInterval } from "turnwise/internal/base/interval";
import type { Chart } from "turnwise/internal/plot/chart";
import { estimateChart } from "turnwise/internal/plot/estimateChart";
import type { StoredRecord } from "../shared/storedTable";

/** Rules of the stored table, as a lesson calls them. */
const rules = {
  "GRPO, DAPO: whole return, group std": "whole return / group std",
  "Dr.GRPO: whole return": "whole return",
  "StepPO, lambda 0, perfect critic": "a perfect critic",
  "StepPO, lambda 0, critic 20 updates behind": "a critic 20 updates behind",
} as const;

const columns = {
  direction: "the mean of all batches: nearly bias alone",
  oneBatch: "one batch: bias and noise",
} as const;

/**
 * Chart of how directly each rule's gradient points uphill, averaged over many batches and from one: rows of
 * `datasets/measured/credit.csv`.
 *
 * @throws {RangeError} if there is no row of these rules
 */
export function drawNoiseAndBias(quality: readonly StoredRecord[]): Chart {
  const estimates = (Object.keys(columns) as (keyof typeof columns)[]).flatMap((column) =>
    Object.entries(rules).map(([rule, label]) => {
      const runs = quality.filter((row) => row["rule"] === rule).map((row) => Number(row[column]));
      return { group: columns[column], label, runs, ...bootstrapInterval(runs) };
    }),
  );
  const whole = (column: keyof typeof columns): string =>
    estimates
      .find(({ group, label }) => group === columns[column] && label === "whole return")!
      .mean.toFixed(2);
  return estimateChart(estimates, {
    title: `Cosine of the whole return: ${whole("direction")} averaged, ${whole("oneBatch")} in one batch`,
    subtitle: "dots: 20 half-trained agents in Calculator-v0; 1 is the exact direction",
    xTitle: "cosine with the exact gradient",
    domain: [-0.2, 1],
  });
}
