import { tableBundle } from "../table.js";
import { adapter } from "./contract.js";
import { has } from "./traits.js";

/** Parts that data frames and series of danfo.js share; danfo itself is not loaded. */
interface Frame {
  columns: unknown[];
  index: unknown[];
  values: unknown[];
}

export const danfo = adapter<Frame>({
  shows: "data frames and series of danfo.js",
  types: ["text/html"],
  fits: (value): value is Frame => has(value, "columns", "index", "values", "shape"),
  bundle(frame) {
    const { columns, index, values } = frame;
    if (![columns, index, values].every((part) => Array.isArray(part))) return undefined;
    return tableBundle({
      columns: columns.map(String),
      size: values.length,
      rows: (from, to) =>
        values.slice(from, to).map((row): unknown[] => (Array.isArray(row) ? (row as unknown[]) : [row])),
      label: (i) => String(index[i]),
    });
  },
});
