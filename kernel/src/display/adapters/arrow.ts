import { tableBundle } from "../table.js";
import { range, valueOf, type ArrowType, type ArrowVector } from "./arrow-values.js";
import { adapter } from "./contract.js";
import { has, hasMethods } from "./traits.js";

interface ArrowTable {
  numRows: number;
  schema: { fields: { name: string; type: ArrowType }[] };
  getChildAt(i: number): ArrowVector | null;
}

export const arrow = adapter<ArrowTable>({
  shows:
    "tables and record batches of Apache Arrow (`apache-arrow`, `@uwdata/flechette`, results of `duckdb-wasm`)",
  types: ["text/html"],
  fits: (value): value is ArrowTable => has(value, "schema", "numRows") && hasMethods(value, "getChildAt"),
  bundle(table) {
    const { fields } = table.schema;
    const vectors = fields.map((_, j) => table.getChildAt(j));
    return tableBundle({
      columns: fields.map(({ name }) => name),
      size: table.numRows,
      rows: (from, to) =>
        range(from, to).map((i) => fields.map(({ type }, j) => valueOf(vectors[j]?.get(i), type))),
    });
  },
});
