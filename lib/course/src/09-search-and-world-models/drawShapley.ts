import { bootstrapInterval } from "turnwise/internal/base/interval";
import type { Chart } from "turnwise/internal/plot/chart";
import { estimateChart } from "turnwise/internal/plot/estimateChart";
import type { StoredRecord } from "../shared/storedTable";
import { numbersIn, teamNames } from "./shapleyClaims";
import { shapleyUpdates } from "./shapleyRun";

/**
 * Chart of the Shapley value of each agent of a trained team, and of the team's loss without it: rows of
 * `datasets/measured/shapley.csv`.
 *
 * @throws {RangeError} if there is no such row
 */
export function drawShapley(stored: readonly StoredRecord[]): Chart {
  const estimates = teamNames.slice(0, 2).flatMap((team) =>
    team.split(", ").flatMap((agent, i) =>
      (
        [
          ["Shapley's value", "value"],
          ["lost without it", "oneSided"],
        ] as const
      ).map(([name, column]) => {
        const runs = stored
          .filter((row) => row["team"] === team && row["update"] === shapleyUpdates.at(-1))
          .map((row) => numbersIn(row, column)[i]! / Number(row["gained"]));
        return { group: team, label: `${agent}: ${name}`, runs, ...bootstrapInterval(runs) };
      }),
    ),
  );
  const sums = (name: string): string =>
    teamNames
      .slice(0, 2)
      .map((team) => {
        const own = estimates.filter(({ group, label }) => group === team && label.endsWith(name));
        return own.reduce((sum, { mean }) => sum + mean, 0).toFixed(2);
      })
      .join(" and ");
  return estimateChart(estimates, {
    title: `Sums: Shapley's values ${sums("Shapley's value")}, losses ${sums("lost without it")}`,
    subtitle: "dots: 40 trained teams, each divided exactly",
    xTitle: "share of what the team gains",
  });
}
