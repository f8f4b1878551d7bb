import type { LeverEffect } from "./leverEffect";
import type { Chart } from "../../plot/chart";
import { heatMap } from "../../plot/heatMap";

const signs = { mends: "++", helps: "+", "no effect shown": "0", hurts: "-", stops: "x" } as const;

const columns: Readonly<Partial<Record<LeverEffect["trap"], string>>> = {
  reuse: "A reuse",
  cost: "B cost",
  mismatch: "C mismatch",
};

/**
 * Which lever mends which trap: the gain in final success over GRPO, with its interval and verdict in every cell.
 *
 * Where runs stopped on a loss that is not finite, the cell shows their number in place of a gain.
 *
 * @throws {RangeError} if there is no effect to draw
 */
export function leverMatrixChart(effects: readonly LeverEffect[]): Chart {
  const order = Object.keys(columns);
  const cells = [...effects]
    .sort((a, b) => order.indexOf(a.trap) - order.indexOf(b.trap))
    .map(({ trap, lever, gain, stopped, final, verdict }) => ({
      column: columns[trap] ?? trap,
      row: lever,
      value: verdict === "stops" ? 0 : gain.mean,
      label:
        verdict === "stops"
          ? `x  ${stopped} of ${final.n} stop`
          : `${signs[verdict]}  ${signed(gain.mean)} [${signed(gain.low)}, ${signed(gain.high)}]`,
    }));
  const rows = [...new Set(effects.map(({ lever }) => lever))];
  return heatMap(cells, {
    title: "Which lever mends which trap: gain in success over GRPO",
    subtitle: "20 seeds, [95 % interval]; ++ mends, + helps, 0 no effect shown, - hurts, x loss not finite",
    columnTitle: "trap",
    rowTitle: "lever",
    scale: "sign",
    cellWidth: 196,
    cellHeight: 25,
    rows,
  });
}

function signed(x: number): string {
  return `${x < 0 ? "-" : "+"}${Math.abs(x).toFixed(2)}`;
}
