import { randomUUID } from "node:crypto";
import { inspect } from "node:util";
import type { MimeBundle } from "../protocol/message.js";
import { escapeHtml } from "./html.js";
import { limits } from "./settings.js";
import { enhanceTable } from "./rows-script.js";

type Row = Readonly<Record<string, unknown>>;

const script = enhanceTable.toString().replace(/\n\s*/g, "\n");
const mostColumns = 40;
const longestCell = 200;

/** True for an array of plain objects, which a table shows best. */
export function isRows(value: unknown): value is readonly Row[] {
  if (!Array.isArray(value) || value.length === 0) return false;
  const first = value.slice(0, 1_000) as unknown[];
  return first.every(isPlain) && columnsOf(first).length <= mostColumns && columnsOf(first).length > 0;
}

function isPlain(value: unknown): value is Row {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return false;
  return !Object.values(Object.getOwnPropertyDescriptors(value)).some(({ get }) => get !== undefined);
}

function columnsOf(rows: readonly unknown[]): string[] {
  return [...new Set(rows.flatMap((row) => Object.keys(row as Row)))];
}

/**
 * The rows as a table. Its first page needs no script, and the other rows unfold; where the page is trusted, a script puts
 * the rows on pages and sorts them by a column's head.
 */
export function rowsHtml(rows: readonly Row[]): MimeBundle {
  const page = limits.get("tableRows");
  const most = Math.max(page, limits.get("tableMost"));
  const shown = rows.slice(0, most).filter(isPlain);
  const columns = columnsOf(shown).slice(0, mostColumns);
  const numeric = columns.map((name) => shown.every((row) => !(name in row) || isNumber(row[name])));
  const head = columns
    .map((name, i) => `<th scope="col"${align(numeric[i]!)}>${escapeHtml(name)}</th>`)
    .join("");
  const body = (from: number, to: number): string =>
    shown
      .slice(from, to)
      .map((row, i) => {
        const cells = columns.map((name, j) => cell(name in row, row[name], numeric[j]!)).join("");
        return `<tr><th scope="row">${from + i}</th>${cells}</tr>`;
      })
      .join("");
  const thead = `<thead><tr><th scope="col"><span aria-label="index"></span></th>${head}</tr></thead>`;
  const rest = shown.length - page;
  const more =
    rest > 0
      ? `<details><summary>${count(rest, "further row")}</summary><table>${thead}<tbody>${body(page, most)}</tbody></table></details>`
      : "";
  const size = `${count(rows.length, "row")} x ${count(columns.length, "column")}`;
  const cut = rows.length > shown.length ? `, the first ${shown.length.toLocaleString("en")} are here` : "";
  const id = `rows-${randomUUID()}`;
  return {
    "text/html":
      `<div id="${id}"><table>${thead}<tbody>${body(0, page)}</tbody></table>${more}<p>${size}${cut}</p></div>` +
      (shown.length > 1 ? `<script>(${script})(${JSON.stringify(id)},${page})</script>` : ""),
  };
}

const isNumber = (value: unknown): boolean =>
  typeof value === "number" || typeof value === "bigint" || value === null || value === undefined;

const align = (numeric: boolean): string => ` style="text-align:${numeric ? "right" : "left"}"`;

const count = (n: number, what: string): string => `${n.toLocaleString("en")} ${what}${n === 1 ? "" : "s"}`;

function cell(has: boolean, value: unknown, numeric: boolean): string {
  if (!has) return "<td></td>";
  const text = cellText(value);
  // What is rounded for the eye is sorted by what it is.
  const exact = typeof value === "number" && text !== String(value) ? ` title="${value}"` : "";
  return `<td${align(numeric)}${exact}>${escapeHtml(text)}</td>`;
}

function cellText(value: unknown): string {
  if (typeof value === "number" && Number.isFinite(value) && !Number.isInteger(value))
    return String(Number(value.toPrecision(6)));
  if (typeof value === "string") return shorten(value);
  if (value instanceof Date && !Number.isNaN(value.getTime())) return value.toISOString();
  if (typeof value !== "object" || value === null) return shorten(String(value));
  return shorten(
    inspect(value, { depth: 1, breakLength: Infinity, maxArrayLength: 10, maxStringLength: 100 }),
  );
}

const shorten = (text: string): string =>
  text.length > longestCell ? `${text.slice(0, longestCell)}...` : text;
