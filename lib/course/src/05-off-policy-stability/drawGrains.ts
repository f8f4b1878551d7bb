import { bootstrapInterval } from "turnwise/internal/base/interval";
import type { Chart } from "turnwise/internal/plot/chart";
import { estimateChart } from "turnwise/internal/plot/estimateChart";
import { GRAIN_UPDATES, type Grains } from "./grains";

const groups = { sgd: "SGD, learning rate 8", adam: "Adam, learning rate .3" } as const;

/** LOOP's question as runs answer it: reward by the grain of the ratio, under SGD and under Adam. */
export function drawGrains(grains: Grains): Chart {
  const estimates = [...grains].map(([name, runs]) => {
    const [kind, label] = name.split(", ") as [keyof typeof groups, string];
    return { group: groups[kind], label, runs, ...bootstrapInterval(runs) };
  });
  const means = (group: string): string =>
    estimates
      .filter((one) => one.group === group)
      .map(({ mean }) => mean.toFixed(2))
      .join(", ");
  return estimateChart(estimates, {
    title: `By token, turn, trajectory: SGD ${means(groups.sgd)}; Adam ${means(groups.adam)}`,
    subtitle: `LOOP on LookUp-v0, ${GRAIN_UPDATES} updates of 16 steps each, seeds: ${estimates[0]!.runs.length}; dots: runs`,
    xTitle: "reward of a run, mean of its updates",
    domain: [0, 1],
  });
}
