import type { Chart } from "turnwise/internal/plot/chart";
import { estimateChart } from "turnwise/internal/plot/estimateChart";
import { asRarely, type EstimatorError } from "./estimatorError";

/** The ratios that are drawn, by the names of the judge. */
const rows = {
  token: "token",
  "turn, geometric": "turn, geometric mean",
  "trajectory, product": "trajectory, product",
} as const;

/** Names of the ratios in the title. */
const inTitle = {
  token: "token",
  "turn, geometric": "turn's mean",
  "trajectory, product": "trajectory",
} as const satisfies Readonly<Record<keyof typeof rows, string>>;

const panels = {
  "": "without a clip",
  ", clipped": "clipped at .2",
  [asRarely]: "clipped as rarely as the turn's mean",
} as const;

/**
 * Chart of the distance between the mean of each ratio's estimate and the exact gradient: without a clip, with the same one, and, where
 * it was judged, with one that stops an equal share of the tokens.
 */
export function drawBias(judged: readonly EstimatorError[]): Chart {
  const estimates = Object.entries(panels).flatMap(([end, group]) =>
    Object.entries(rows).flatMap(([name, label]) => {
      const found = judged.find((one) => one.name === `${name}${end}`);
      if (!found) return [];
      const { bias, noise } = found;
      return { group, label, mean: bias, low: Math.max(0, bias - 2 * noise), high: bias + 2 * noise };
    }),
  );
  const clipped = Object.entries(inTitle).map(([name, words]) => {
    const { bias } = judged.find((one) => one.name === `${name}, clipped`)!;
    return `${words} ${bias.toFixed(2)}`;
  });
  return estimateChart(estimates, {
    title: `Clipped at .2, off by: ${clipped.join(", ")}`,
    subtitle: `ToolChain-v0, ${judged[0]!.batches} batches of the old policy; bar: two standard errors`,
    xTitle: "distance to the exact gradient, as a share of its length",
    domain: [0, 1],
  });
}
