import { Chart, vegaLiteSchema } from "./chart";
import { largeLetters } from "./large";
import { neutralColor } from "./palette";
import { shadeOf } from "./shade";

/** A cell of a heat map. */
export interface HeatCell {
  readonly column: string;
  readonly row: string;
  readonly value: number;
  /** Label of the cell. Default: the value with three digits. */
  readonly label?: string;
}

/** Titles and colors of a heat map. */
export interface HeatMapOptions {
  readonly title: string;
  readonly subtitle?: string;
  readonly columnTitle: string;
  readonly rowTitle: string;
  /**
   * `sign` is orange below 0 and blue above; `amount` is clear at 0 and blue at the largest value.
   * The printed value is the second cue.
   */
  readonly scale: "sign" | "amount";
  readonly cellWidth?: number;
  readonly cellHeight?: number;
  /** Order of the rows. Default: that of their first cells. */
  readonly rows?: readonly string[];
}

/**
 * A grid of numbers on colored cells, rows and columns in the order of their first cells.
 *
 * @throws {RangeError} if there is no cell
 * @example
 * import { heatMap } from "turnwise";
 * const cells = [
 *   { row: "grpo", column: "turn 1", value: 0.5 },
 *   { row: "grpo", column: "turn 2", value: -0.5 },
 * ];
 * heatMap(cells, { title: "Credit", columnTitle: "turn", rowTitle: "rule", scale: "sign" });
 */
export function heatMap(cells: readonly HeatCell[], options: HeatMapOptions): Chart {
  if (cells.length === 0) {
    throw new RangeError("Cannot draw a heat map: there must be a cell, got none.");
  }
  const { title, subtitle, columnTitle, rowTitle, scale, cellWidth = 84, cellHeight = 38 } = options;
  const columns = [...new Set(cells.map((cell) => cell.column))];
  const rows = options.rows ?? [...new Set(cells.map((cell) => cell.row))];
  const values = cells.map((cell) => ({ ...cell, label: cell.label ?? signed(cell.value, scale) }));
  const most = Math.max(...cells.map((cell) => Math.abs(cell.value)), Number.MIN_VALUE);
  const listed = values.map((cell) => `${cell.row}, ${cell.column}: ${cell.label}`).join("; ");
  const description = `${title}. Rows ${rowTitle}, columns ${columnTitle}. ${listed}.`;
  return new Chart(
    {
      $schema: vegaLiteSchema,
      description,
      title: subtitle === undefined ? title : { text: title, subtitle },
      width: { step: cellWidth },
      height: { step: cellHeight },
      data: { values },
      encoding: {
        x: {
          field: "column",
          type: "ordinal",
          title: columnTitle,
          sort: columns,
          axis: { labelAngle: 0, orient: "top" },
        },
        y: { field: "row", type: "ordinal", title: rowTitle, sort: rows },
      },
      layer: [
        {
          mark: { type: "rect", stroke: neutralColor, strokeWidth: 0.5 },
          encoding: shadeOf("value", most),
        },
        {
          mark: { type: "text", fontSize: cellHeight < 30 ? 13 : 15 },
          encoding: { text: { field: "label" } },
        },
      ],
      config: largeLetters,
    },
    description,
  );
}

function signed(value: number, scale: "sign" | "amount"): string {
  const text = value.toFixed(3);
  return scale === "sign" && value > 0 ? `+${text}` : text;
}
