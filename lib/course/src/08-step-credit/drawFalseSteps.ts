import { bootstrapInterval } from "turnwise/internal/base/interval";
import type { Chart } from "turnwise/internal/plot/chart";
import { estimateChart } from "turnwise/internal/plot/estimateChart";
import type { StoredRecord } from "../shared/storedTable";
import { equalPairs } from "./falseStepClaims";

/** The runs of a pair, as the chart names them. */
const sides = ["signs by verdicts", "outcome alone"] as const;

/**
 * The share of false steps where two runs of a seed have first come to the highest success of both: rows of
 * `datasets/measured/step-false.csv`, a panel for each world.
 *
 * @throws {RangeError} if there is no row
 */
export function drawFalseSteps(rows: readonly StoredRecord[]): Chart {
  const settings = [...new Set(rows.map((row) => String(row["setting"])))].filter(
    (setting) => !setting.endsWith("votes"),
  );
  const estimates = settings.flatMap((setting) => {
    const pairs = equalPairs(rows, setting);
    const score = pairs.reduce((sum, pair) => sum + pair.score, 0) / pairs.length;
    const group = `${setting}: both at success ${score.toFixed(2)} on average`;
    return sides.map((label, side) => {
      const runs = pairs.map(({ falseSteps }) => falseSteps[side]!);
      return { group, label, runs, ...bootstrapInterval(runs) };
    });
  });
  const [verdicts, outcome] = estimates.map(({ mean }) => mean.toFixed(2));
  return estimateChart(estimates, {
    title: `${settings[0]!}: ${verdicts!} of the steps are false by verdicts, ${outcome!} by the outcome`,
    subtitle: "dots: 40 seeds, each with verdicts and without",
    xTitle: "share of steps that are false",
    domain: [0, 1],
  });
}
