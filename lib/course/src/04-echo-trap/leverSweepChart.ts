import type { SweepPoint } from "../shared/echoTrap/leverSweep";
import type { Chart } from "turnwise/internal/plot/chart";
import { heatMap } from "turnwise/internal/plot/heatMap";

/**
 * Final success of levers over a sweep: the mean with its interval in every cell. An x and a number tell how many runs stopped
 * on a loss that is not finite.
 *
 * @throws {RangeError} if there is no point to draw
 */
export function leverSweepChart(
  points: readonly SweepPoint[],
  o: {
    readonly title: string;
    readonly subtitle: string;
    readonly columnTitle: string;
    readonly columns: readonly string[];
  },
): Chart {
  const cells = [...points]
    .sort((a, b) => o.columns.indexOf(a.setting) - o.columns.indexOf(b.setting))
    .map(({ setting, lever, final, stopped }) => ({
      column: setting,
      row: lever === "vanilla" ? "GRPO" : lever,
      value: final.mean,
      label:
        `${final.mean.toFixed(2)} [${final.low.toFixed(2)}, ${final.high.toFixed(2)}]` +
        (stopped > 0 ? ` x${stopped}` : ""),
    }));
  return heatMap(cells, {
    title: o.title,
    subtitle: o.subtitle,
    columnTitle: o.columnTitle,
    rowTitle: "lever",
    scale: "amount",
    cellWidth: 124,
    cellHeight: 25,
    rows: [...new Set(points.map(({ lever }) => (lever === "vanilla" ? "GRPO" : lever)))],
  });
}
