import { bootstrapInterval } from "turnwise/internal/base/interval";
import type { Chart } from "turnwise/internal/plot/chart";
import { estimateChart } from "turnwise/internal/plot/estimateChart";
import type { StoredRecord } from "../shared/storedTable";
import { teamArms, teamLearningRates } from "./teamRun";

/**
 * Two agents with one baseline or with a baseline each, at the smallest and the largest learning rate: rows of
 * `datasets/measured/hand-over.csv`.
 *
 * @throws {RangeError} if there is no such row
 */
export function drawTeam(
  handOver: readonly StoredRecord[],
  { tries = 8 }: { readonly tries?: number } = {},
): Chart {
  const rates = [teamLearningRates[0], teamLearningRates.at(-1)!];
  const estimates = rates.flatMap((rate) =>
    Object.keys(teamArms.drMas).map((label) => {
      const runs = handOver
        .filter((row) => row["world"] === `hand over, ${tries} tries`)
        .filter((row) => row["arm"] === label && row["learningRate"] === rate)
        .map((row) => Number(row["final"]));
      return { group: `Adam ${rate}`, label, runs, ...bootstrapInterval(runs) };
    }),
  );
  const largest = estimates.filter(({ group }) => group === `Adam ${rates[1]!}`);
  const [each, , one] = largest.map(({ mean }) => mean.toFixed(2));
  return estimateChart(estimates, {
    title: `With large steps: ${each!} with a baseline each, ${one!} with one for all`,
    subtitle: `HandOver-v0, ${tries} tries; dots: 40 seeds, each solved exactly`,
    xTitle: "score at the end: random agents 0, best agents 1",
    domain: [0.65, 1],
  });
}
