import type { MimeBundle } from "../../protocol/message.js";
import { isPromise } from "../promises.js";
import { tableBundle } from "../table.js";
import { adapter } from "./contract.js";
import { hasMethods } from "./traits.js";

/** Reader that has taken rows out of a result. */
interface Reader {
  columnNames(): string[];
  done?: boolean;
  getRows(): unknown[][] | Promise<unknown[][]>;
}

export const duckdbReader = adapter<Reader>({
  shows: "readers of DuckDB's results, with the rows read so far",
  types: ["text/html"],
  fits: (value): value is Reader => hasMethods(value, "columnNames", "getRows"),
  bundle(reader) {
    const shown = (rows: unknown[][]): MimeBundle => readBundle(reader, rows);
    const rows = reader.getRows();
    return isPromise(rows) ? rows.then(shown) : shown(rows);
  },
});

function readBundle(reader: Reader, all: unknown[][]): MimeBundle {
  const bundle = tableBundle({
    columns: reader.columnNames(),
    size: all.length,
    rows: (from, to) => all.slice(from, to),
  });
  if (reader.done !== false) return bundle;
  const more = "so far; readAll() reads the others";
  return {
    "text/html": `${String(bundle["text/html"])}<p>${more}</p>`,
    "text/plain": `${String(bundle["text/plain"])}\n[${more}]`,
  };
}
