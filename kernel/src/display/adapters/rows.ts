import { isRows, rowsHtml } from "../rows.js";
import { adapter } from "./contract.js";

export const rows = adapter<Parameters<typeof rowsHtml>[0]>({
  shows: "arrays of plain objects, as results of a query, as a table that sorts",
  types: ["text/html"],
  fits: isRows,
  bundle: rowsHtml,
});
