import { bootstrapInterval } from "turnwise/internal/base/interval";
import type { Chart } from "turnwise/internal/plot/chart";
import { estimateChart } from "turnwise/internal/plot/estimateChart";
import { orderArms, type OrderArm } from "./orderAblation";
import type { OrderRun } from "./orderRuns";

/** The arms in the words of the lesson: four turns, and four steps for each of them. */
const words: Readonly<Record<OrderArm, string>> = {
  reverse: "last turn first",
  random: "random order",
  forward: "first turn first",
  "reverse, no carry": "last turn first, no carry",
  "simultaneous, equal steps": "all at once, 16 steps",
  "simultaneous, 4 steps": "all at once, 4 steps",
};

/** Success of the stored runs on ToolChain, one model for all turns, by order; by default all orders. */
export function drawOrderRuns(runs: readonly OrderRun[], arms: readonly OrderArm[] = orderArms): Chart {
  const estimates = arms.map((arm) => {
    const own = runs.filter((run) => run.part === "order" && run.arm === arm);
    const success = own.map((run) => run.success);
    return { label: words[arm], runs: success, ...bootstrapInterval(success) };
  });
  const seeds = [...new Set(estimates.map((one) => one.runs.length))].join(" or ");
  return estimateChart(estimates, {
    title: "ToolChain, one model for all turns",
    subtitle: `${seeds} seeds; diamond: mean, bar: 95 % interval, dots: single runs`,
    xTitle: "success after 300 updates",
    domain: [0, 1],
  });
}
