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
export function drawTeam(handOver: readonly StoredRecord[]): Chart {
  const rates = [teamLearningRates[0], teamLearningRates.at(-1)!];
  const estimates = rates.flatMap((rate) =>
    Object.keys(teamArms.drMas).map((label) => {
      const runs = handOver
        .filter((row) => row["world"] === "hand over, 8 tries")
        .filter((row) => row["arm"] === label && row["learningRate"] === rate)
        .map((row) => Number(row["final"]));
      return { group: `Adam ${rate}`, label, runs, ...bootstrapInterval(runs) };
    }),
  );
  return estimateChart(estimates, {
    title: "A scout and an opener: whom is a turn compared with?",
    subtitle: "HandOver-v0, 8 tries; dots: 40 seeds, each solved exactly",
    xTitle: "score at the end: random agents 0, best agents 1",
    domain: [0.65, 1],
  });
}
