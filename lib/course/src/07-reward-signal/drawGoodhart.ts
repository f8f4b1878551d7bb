import type { Chart } from "turnwise/internal/plot/chart";
import { lineChart } from "turnwise/internal/plot/lineChart";
import type { StoredRecord } from "../shared/storedTable";
import { curves } from "./curves";
import type { GoodhartArm } from "./goodhartRun";

/**
 * Goodhart's curve: the proxy that is climbed and the true score that it was to stand for, rows of `datasets/measured/goodhart.csv`.
 * Dots show where each seed ends.
 *
 * @throws {RangeError} if there is no row of the arm
 */
export function drawGoodhart(rows: readonly StoredRecord[], arm: GoodhartArm = "proxy"): Chart {
  const own = rows.filter((row) => row["arm"] === arm);
  const { series, dots } = curves({
    "what is paid: the proxy": { rows: own, column: "paid" },
    "what is meant: the true score": { rows: own, column: "score" },
  });
  const [paid, meant] = Object.values(series).map((points) => {
    const ys = points.map(({ y }) => y);
    const [first, top, last] = [ys[0]!, Math.max(...ys), ys.at(-1)!].map((y) => y.toFixed(2));
    return [first, ...(top === first || top === last ? [] : [top]), last].join(" to ");
  });
  return lineChart(series, {
    title: `The proxy goes from ${paid!}, the true score from ${meant!}`,
    subtitle: "40 half-trained agents, paid by the proxy from here on; dots: where each of them ends",
    xTitle: "update on the proxy",
    yTitle: "return or true score",
    dots,
  });
}
