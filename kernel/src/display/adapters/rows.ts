import { isRows, rowsHtml } from "../rows.js";
import { adapter } from "./contract.js";

export const rows = adapter<Parameters<typeof rowsHtml>[0]>({
  shows: "arrays of plain objects, such as query results, as a sortable table",
  types: ["text/html"],
  fits: isRows,
  bundle: rowsHtml,
});
