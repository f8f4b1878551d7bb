import { inspect } from "node:util";
import type { MimeBundle } from "../protocol/message.js";
import { htmlTable } from "./html.js";
import { limits } from "./settings.js";

/** The part of a data frame or of a query's result that its table needs. */
export interface TableSource {
  readonly columns: readonly string[];
  /** The number of rows. */
  readonly size: number;
  /** The values of rows from `from` to before `to`. */
  rows(from: number, to: number): readonly (readonly unknown[])[];
  /** The label of a row; by default its number. */
  label?(i: number): string;
}

const lastRows = 5;
const mostColumns = 40;
const longestCell = 200;

/** A table of the first and last rows; all rows, up to `%config tableMost`, open on demand. */
export function tableBundle(source: TableSource): MimeBundle {
  const { size } = source;
  const firstRows = limits.get("tableRows");
  const most = limits.get("tableMost");
  const columns = source.columns.slice(0, mostColumns);
  const read = (from: number, to: number): string[][] =>
    source.rows(from, to).map((row) => columns.map((_, j) => cellText(row[j])));
  const labeled = (from: number, to: number): string[] =>
    Array.from({ length: to - from }, (_, i) => source.label?.(from + i) ?? String(from + i));
  const isShort = size <= firstRows + lastRows;
  const head = isShort ? size : firstRows;
  const rows = isShort ? read(0, size) : [...read(0, head), ...read(size - lastRows, size)];
  const labels = isShort ? labeled(0, size) : [...labeled(0, head), ...labeled(size - lastRows, size)];
  let html = htmlTable({ columns, labels, rows });
  if (!isShort) {
    const to = Math.min(size, most);
    const full = htmlTable({ columns, labels: labeled(0, to), rows: read(0, to) });
    const title = size > most ? `first ${most} rows` : "all rows";
    html += `<details><summary>${title}</summary>${full}</details>`;
  }
  const note =
    `${count(size, "row")} x ${count(source.columns.length, "column")}` +
    (isShort ? "" : `, ${size - firstRows - lastRows} in between not shown`) +
    (source.columns.length > mostColumns ? `, the first ${mostColumns} columns are here` : "");
  return {
    "text/html": `${html}<p>${note}</p>`,
    "text/plain": `${textTable(columns, labels, rows)}\n[${note}]`,
  };
}

const count = (n: number, what: string): string => `${n} ${what}${n === 1 ? "" : "s"}`;

/** A value as a cell of a table: numbers with six digits, dates in ISO's form, and all else on one line. */
export function cellText(value: unknown): string {
  if (typeof value === "number" && Number.isFinite(value) && !Number.isInteger(value))
    return String(Number(value.toPrecision(6)));
  if (typeof value !== "object" || value === null) return shorten(String(value));
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? "Invalid Date" : value.toISOString();
  return shorten(objectText(value));
}

function objectText(value: object): string {
  try {
    if (value instanceof Uint8Array) return `${value.length.toLocaleString("en")} bytes`;
    if (ArrayBuffer.isView(value)) return json(Array.from(value as unknown as ArrayLike<unknown>));
    // A value of a library, such as a decimal number of a database, knows its own text.
    const { toString } = value as { toString?: unknown };
    const writes = typeof toString === "function" && toString !== Object.prototype.toString;
    return writes && !Array.isArray(value) ? (toString as () => string).call(value) : json(value);
  } catch {
    return inspect(value, { depth: 1, breakLength: Infinity, maxArrayLength: 10, maxStringLength: 100 });
  }
}

function json(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => (typeof part === "bigint" ? part.toString() : part));
}

const shorten = (text: string): string =>
  text.length > longestCell ? `${text.slice(0, longestCell)}...` : text;

function textTable(
  columns: readonly string[],
  labels: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const lines = rows.map((row) => row.map((text) => text.replace(/\r?\n/g, "\u21b5")));
  const table = [["", ...columns], ...lines.map((row, i) => [labels[i]!, ...row])];
  const widths = table[0]!.map((_, j) => Math.max(...table.map((row) => row[j]?.length ?? 0)));
  return table
    .map((row) =>
      row
        .map((text, j) => text.padStart(widths[j]!))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
