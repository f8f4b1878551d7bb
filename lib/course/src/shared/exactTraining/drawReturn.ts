import { treeOptimum } from "turnwise/internal/exact/treeOptimum";
import type { Chart } from "turnwise/internal/plot/chart";
import { endTitle } from "turnwise/internal/plot/endTitle";
import { lineChart } from "turnwise/internal/plot/lineChart";
import { byName, type ExactTrainings } from "./drawPath";

/** Share of the optimum at which a run has arrived. */
const ARRIVED = 0.95;

/**
 * The return after each update of exact training runs, below the optimum of their game.
 *
 * `zoom` shows the first updates wide and later ones narrow, on a logarithmic axis; the title then says when each run has arrived.
 */
export function drawReturn(trainings: ExactTrainings, { zoom = false } = {}): Chart {
  const named = byName(trainings);
  const { game } = Object.values(named)[0]!;
  const optimum = treeOptimum(game).J;
  const ends = Object.entries(named).map(([name, { J }]) => ({ name, y: J.at(-1)! }));
  const arrivals = Object.entries(named).map(([name, { J }]) => {
    const update = J.findIndex((y) => y >= ARRIVED * optimum);
    return `${update < 0 ? "never" : String(update)} (${name})`;
  });
  const lines = Object.entries(named).map(([name, { J }]) => [
    name,
    J.map((y, x) => ({ x: zoom ? x + 1 : x, y })),
  ]);
  return lineChart(Object.fromEntries(lines), {
    title: zoom
      ? `Updates to ${Number((ARRIVED * optimum).toFixed(3))}: ${arrivals.join(", ")}`
      : endTitle("Return at the end", ends),
    subtitle: `${game.name}, exact updates, no samples`,
    xTitle: "update",
    logX: zoom,
    yTitle: "return",
    reference: { y: optimum, label: `optimum ${Number(optimum.toFixed(3))}` },
  });
}
