import { bootstrapInterval } from "turnwise/internal/base/interval";
import type { Chart } from "turnwise/internal/plot/chart";
import { estimateChart } from "turnwise/internal/plot/estimateChart";
import { numbers } from "../shared/samples";
import type { StoredRecord } from "../shared/storedTable";
import { judges } from "./biasedJudge";

/**
 * Success at the end of training with a judge of single steps: rows of `datasets/measured/step-judges.csv`, and of
 * `step-outcome.csv` for the outcome alone.
 *
 * @throws {RangeError} if there is no such row
 */
export function drawJudges(
  judged: readonly StoredRecord[],
  outcome: readonly StoredRecord[],
  { arm, world }: { readonly arm: string; readonly world: string },
): Chart {
  const isOwn = (row: StoredRecord): boolean => row["arm"] === arm && row["world"] === world;
  const rows: [string, number[]][] = [
    ["outcome alone", numbers(outcome.filter(isOwn), "score")],
    ...Object.keys(judges).map((judge): [string, number[]] => [
      judge,
      numbers(
        judged.filter((row) => isOwn(row) && row["judge"] === judge),
        "score",
      ),
    ]),
  ];
  const estimates = rows.map(([label, runs]) => ({ label, runs, ...bootstrapInterval(runs) }));
  const [worst, best] = estimates
    .slice(1)
    .sort((a, b) => a.mean - b.mean)
    .filter((_, i, all) => i === 0 || i === all.length - 1)
    .map(({ label, mean }) => `a judge that ${label} ${mean.toFixed(2)}`);
  return estimateChart(estimates, {
    title: `With ${worst!}, ${best!}`,
    subtitle: `${world}, ${arm}; dots: 40 seeds`,
    xTitle: "success at the end",
    domain: [0, 1],
  });
}
