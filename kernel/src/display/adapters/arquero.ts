import { tableBundle } from "../table.js";
import { adapter } from "./contract.js";
import { hasMethods } from "./traits.js";

interface ArqueroTable {
  numRows(): number;
  columnNames(): string[];
  objects(o: { limit: number; offset: number }): Record<string, unknown>[];
}

export const arquero = adapter<ArqueroTable>({
  shows: "tables of arquero, with their current filter and order",
  types: ["text/html"],
  fits: (value): value is ArqueroTable => hasMethods(value, "numRows", "columnNames", "objects"),
  bundle(table) {
    const columns = table.columnNames();
    return tableBundle({
      columns,
      size: table.numRows(),
      rows: (from, to) =>
        from === to
          ? []
          : table.objects({ limit: to - from, offset: from }).map((row) => columns.map((name) => row[name])),
    });
  },
});
