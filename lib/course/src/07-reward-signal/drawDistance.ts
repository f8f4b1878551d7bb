import { mean } from "turnwise/internal/base/statistics";
import type { Chart } from "turnwise/internal/plot/chart";
import { lineChart } from "turnwise/internal/plot/lineChart";
import type { StoredRecord } from "../shared/storedTable";
import { numbers } from "../shared/samples";

/** Weights of the penalty that were measured. */
const weights = [0.1, 1];

/** Arms of the stored table, as a lesson calls them. */
function armsOf(weight: number): Record<string, string> {
  if (!weights.includes(weight)) {
    throw new RangeError(
      `Cannot draw the distance: weight must be one of ${weights.join(" and ")}, got ${weight}.`,
    );
  }
  const short = String(weight).replace(/^0/, "");
  return {
    outcome: "paid for the outcome",
    proxy: "paid for the proxy",
    [`proxy, exact KL ${short}`]: `proxy and KL ${short}, exact`,
    [`proxy, k3 ${short}`]: `proxy and KL ${short}, estimated`,
  };
}

/**
 * The true score against the distance to the start, one line for each way to be paid: rows of `datasets/measured/goodhart.csv`.
 *
 * @throws {RangeError} if there is no row, or the weight was not measured
 */
export function drawDistance(
  rows: readonly StoredRecord[],
  { weight = 0.1 }: { readonly weight?: number } = {},
): Chart {
  const arms = armsOf(weight);
  const updates = [...new Set(numbers(rows, "update"))].sort((a, b) => a - b);
  const series = Object.entries(arms).map(([arm, name]) => {
    const points = updates.map((update) => {
      const own = rows.filter((row) => row["arm"] === arm && row["update"] === update);
      return { x: mean(numbers(own, "kl")), y: mean(numbers(own, "score")) };
    });
    return [name, points.sort((a, b) => a.x - b.x)] as const;
  });
  const last = Object.fromEntries(
    Object.keys(arms).map((arm) => {
      const own = rows.filter((row) => row["arm"] === arm && row["update"] === updates.at(-1));
      return [arm, mean(numbers(own, "score")).toFixed(2)];
    }),
  );
  return lineChart(Object.fromEntries(series), {
    title: `True score at the end: ${last[Object.keys(arms)[2]!]!} with KL, ${last["proxy"]!} without, ${last["outcome"]!} by the outcome`,
    subtitle: "means over 40 seeds, one point for every 20 updates",
    xTitle: "KL to the start, nats per token",
    yTitle: "true score",
  });
}
