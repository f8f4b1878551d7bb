import { tableBundle } from "../table.js";
import { adapter } from "./contract.js";
import { has, hasMethods } from "./traits.js";

type Records = Record<string, unknown>[];

interface PolarsFrame {
  columns: string[];
  height?: number;
  slice?(from: number, length: number): PolarsFrame;
  toRecords(): Records;
}

/** Current versions display themselves. Series have no columns: they print themselves well. */
export const polars = adapter<PolarsFrame>({
  shows: "data frames of nodejs-polars, and others with `columns` and `toRecords()`",
  types: ["text/html"],
  fits: (value): value is PolarsFrame => has(value, "columns") && hasMethods(value, "toRecords"),
  bundle(frame) {
    const { columns, height } = frame;
    const canSlice = typeof height === "number" && hasMethods(frame, "slice");
    const all = canSlice ? [] : frame.toRecords();
    const read = (from: number, to: number): Records =>
      canSlice ? frame.slice!(from, to - from).toRecords() : all.slice(from, to);
    return tableBundle({
      columns,
      size: canSlice ? height : all.length,
      rows: (from, to) => (from === to ? [] : read(from, to).map((row) => columns.map((name) => row[name]))),
    });
  },
});
