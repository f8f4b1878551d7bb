import type { JudgedLever } from "./leverMatrix";
import type { Chart } from "turnwise/internal/plot/chart";
import { heatMap } from "turnwise/internal/plot/heatMap";
import { fixesTitle } from "./fixesTitle";

const signs = {
  fixes: "++",
  helps: "+",
  hurts: "-",
  "no effect that matters": "0",
  "not shown": "?",
  "too few seeds": "?",
} as const;

const columns: Readonly<Partial<Record<JudgedLever["trap"], string>>> = {
  reuse: "A reuse",
  cost: "B cost",
  mismatch: "C mismatch",
};

/**
 * Which lever fixes which trap: the gain in final success over GRPO, with its interval and word in every cell. An x and a number
 * tell how many runs stopped on a loss that is not finite.
 *
 * @throws {RangeError} if there is no effect to draw
 */
export function leverMatrixChart(effects: readonly JudgedLever[]): Chart {
  const order = Object.keys(columns);
  const cells = [...effects]
    .sort((a, b) => order.indexOf(a.trap) - order.indexOf(b.trap))
    .map(({ trap, lever, gain, stopped, word }) => ({
      column: columns[trap] ?? trap,
      row: lever,
      value: gain.mean,
      label:
        `${signs[word]}  ${signed(gain.mean)} [${signed(gain.low)}, ${signed(gain.high)}]` +
        (stopped > 0 ? `  x${stopped}` : ""),
    }));
  const seeds = Math.min(...effects.map(({ final }) => final.n));
  const rows = [...new Set(effects.map(({ lever }) => lever))];
  return heatMap(cells, {
    title: fixesTitle(effects, "levers"),
    subtitle: `gain in success over GRPO, ${seeds} seeds, [95 % interval]; ++ fixes, + helps, - hurts, 0 no effect that matters, ? not shown, x stopped`,
    columnTitle: "trap",
    rowTitle: "lever",
    scale: "sign",
    cellWidth: 208,
    cellHeight: 25,
    rows,
  });
}

function signed(x: number): string {
  return `${x < 0 ? "-" : "+"}${Math.abs(x).toFixed(2)}`;
}
