import { tableBundle } from "../table.js";
import { adapter } from "./contract.js";
import { has, hasMethods } from "./traits.js";

interface PolarsFrame {
  columns: string[];
  height: number;
  slice(from: number, length: number): { rows(): unknown[][] };
}

/** Current versions display themselves. Series have no columns: they print themselves well. */
export const polars = adapter<PolarsFrame>({
  shows: "data frames of nodejs-polars",
  types: ["text/html"],
  fits: (value): value is PolarsFrame =>
    has(value, "columns", "height") && hasMethods(value, "slice", "rows", "toRecords"),
  bundle(frame) {
    return tableBundle({
      columns: frame.columns,
      size: frame.height,
      rows: (from, to) => (from === to ? [] : frame.slice(from, to - from).rows()),
    });
  },
});
