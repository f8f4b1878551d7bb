import { mean } from "turnwise/internal/base/statistics";
import type { Chart } from "turnwise/internal/plot/chart";
import { lineChart } from "turnwise/internal/plot/lineChart";
import type { StoredRecord } from "../shared/storedTable";
import { numbers } from "./samples";

/** Arms of the stored table, as a lesson calls them. */
const arms = {
  outcome: "paid for the outcome",
  proxy: "paid for the proxy",
  "proxy, exact KL .1": "proxy and KL .1, exact",
  "proxy, k3 .1": "proxy and KL .1, estimated",
} as const;

/**
 * The true score against the distance to the start, one line for each way to be paid: rows of `datasets/measured/goodhart.csv`.
 *
 * @throws {RangeError} if there is no row
 */
export function drawDistance(rows: readonly StoredRecord[]): Chart {
  const updates = [...new Set(numbers(rows, "update"))].sort((a, b) => a - b);
  const series = Object.entries(arms).map(([arm, name]) => {
    const points = updates.map((update) => {
      const own = rows.filter((row) => row["arm"] === arm && row["update"] === update);
      return { x: mean(numbers(own, "kl")), y: mean(numbers(own, "score")) };
    });
    return [name, points.sort((a, b) => a.x - b.x)] as const;
  });
  return lineChart(Object.fromEntries(series), {
    title: "How far from the start, and to what good?",
    subtitle: "means over 40 seeds, one point for every 20 updates",
    xTitle: "KL to the start, nats per token",
    yTitle: "true score",
  });
}
