import type { Chart } from "turnwise/internal/plot/chart";
import { estimateChart } from "turnwise/internal/plot/estimateChart";
import type { EstimatorError } from "./estimatorError";

/** The ratios that are drawn, by the names of the judge. */
const rows = {
  token: "token",
  "turn, geometric": "turn, geometric mean",
  "turn, product": "turn, product",
  "trajectory, product": "trajectory, product",
} as const;

/** Chart of the distance between the mean of each ratio's estimate and the exact gradient, with and without the clip. */
export function drawBias(judged: readonly EstimatorError[]): Chart {
  const estimates = ["", ", clipped"].flatMap((end) =>
    Object.entries(rows).map(([name, label]) => {
      const { bias, noise } = judged.find((one) => one.name === `${name}${end}`)!;
      const group = end === "" ? "without a clip" : "clipped at .2";
      return { group, label, mean: bias, low: Math.max(0, bias - 2 * noise), high: bias + 2 * noise };
    }),
  );
  return estimateChart(estimates, {
    title: "How much of the gradient is wrong, on average?",
    subtitle: `${judged[0]!.batches} batches of the old policy; bar: two standard errors`,
    xTitle: "distance to the exact gradient, as a share of its length",
    domain: [0, 1],
  });
}
