import type { MimeBundle } from "../protocol/message.js";
import { htmlTable } from "./html.js";

/** Parts that data frames and series of danfo.js share; danfo itself is not loaded. */
interface Frame {
  columns: unknown[];
  index: unknown[];
  values: unknown[];
  shape: number[];
  $columns?: unknown;
}

const firstRows = 20;
const lastRows = 5;
const allRows = 500;

/** True for danfo.js data frames and series. */
export function isFrame(value: object): value is Frame {
  const frame = value as Partial<Frame> & { $data?: unknown };
  return (
    /^(DataFrame|Series)$/.test(value.constructor?.name ?? "") &&
    Array.isArray(frame.columns) &&
    Array.isArray(frame.index) &&
    Array.isArray(frame.values) &&
    Array.isArray(frame.shape)
  );
}

/** A table of the first and last rows; all rows (up to 500) open on demand. */
export function frameBundle(frame: Frame): MimeBundle {
  const columns = frame.columns.map(String);
  const rows = frame.values.map((row) => (Array.isArray(row) ? row : [row]).map(cellText));
  const labels = frame.index.map(String);
  const note = `${rows.length} rows x ${columns.length} columns`;
  const short = rows.length <= firstRows + lastRows;
  const pick = <T>(all: T[]): T[] => (short ? all : [...all.slice(0, firstRows), ...all.slice(-lastRows)]);
  let html = htmlTable({ columns, labels: pick(labels), rows: pick(rows) });
  if (!short) {
    const full = htmlTable({ columns, labels: labels.slice(0, allRows), rows: rows.slice(0, allRows) });
    const title = rows.length > allRows ? `first ${allRows} rows` : "all rows";
    html += `<details><summary>${title}</summary>${full}</details>`;
  }
  const gap = short ? "" : `, ${rows.length - firstRows - lastRows} in between not shown`;
  return {
    "text/html": `${html}<p>${note}${gap}</p>`,
    "text/plain": `${textTable(columns, pick(labels), pick(rows))}\n[${note}${gap}]`,
  };
}

function cellText(value: unknown): string {
  if (typeof value === "number" && !Number.isInteger(value)) return String(Number(value.toPrecision(6)));
  if (typeof value === "object" && value !== null) return JSON.stringify(value);
  return String(value);
}

function textTable(columns: string[], labels: string[], rows: string[][]): string {
  const table = [["", ...columns], ...rows.map((row, i) => [labels[i]!, ...row])];
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
