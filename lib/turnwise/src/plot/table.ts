import { displaySymbol, type MimeBundle } from "../base/display";
import { flatRecords, lastRecords } from "../sweep/flatRecords";
import { holdsRuns, type Runs } from "../sweep/runsOf";
import { escapeHtml } from "./escapeHtml";

/** Possible contents of a table cell. */
export type Cell = string | number | boolean | null | undefined;

/** Records as a table: text is aligned left, numbers right with the same number of digits. */
export class Table {
  constructor(
    readonly rows: readonly Readonly<Record<string, Cell>>[],
    readonly caption: string | undefined,
    readonly digits: number,
  ) {
    if (rows.length === 0) {
      throw new RangeError("Cannot show a table: there must be a row, got none.");
    }
  }

  /** MIME bundle that a notebook displays for this object. */
  [displaySymbol](): MimeBundle {
    const columns = [...new Set(this.rows.flatMap((row) => Object.keys(row)))];
    const fractional = new Set(columns.filter((name) => this.rows.some((row) => isFraction(row[name]))));
    const text = (row: Readonly<Record<string, Cell>>, name: string): string =>
      asText(row[name], fractional.has(name) ? this.digits : 0);
    const align = (cell: Cell): string => (typeof cell === "number" ? "right" : "left");
    const head = columns.map((name) => {
      const side = align(this.rows.find((row) => row[name] !== undefined)?.[name]);
      return `<th style="text-align:${side}">${escapeHtml(name)}</th>`;
    });
    const body = this.rows.map((row) => {
      const cells = columns.map(
        (name) => `<td style="text-align:${align(row[name])}">${escapeHtml(text(row, name))}</td>`,
      );
      return `<tr>${cells.join("")}</tr>`;
    });
    const caption = this.caption === undefined ? "" : `<caption>${escapeHtml(this.caption)}</caption>`;
    const lines = [columns, ...this.rows.map((row) => columns.map((name) => text(row, name)))];
    const widths = columns.map((_, c) => Math.max(...lines.map((line) => line[c]!.length)));
    const plain = lines.map((line) =>
      line
        .map((text, c) => text.padEnd(widths[c]!))
        .join("  ")
        .trimEnd(),
    );
    return {
      "text/html": `<table>${caption}<thead><tr>${head.join("")}</tr></thead><tbody>${body.join("")}</tbody></table>`,
      "text/plain": [...(this.caption === undefined ? [] : [this.caption]), ...plain].join("\n"),
    };
  }
}

function isFraction(cell: Cell): boolean {
  return typeof cell === "number" && Number.isFinite(cell) && !Number.isInteger(cell);
}

/** A cell's text; round-off below zero is not shown as a negative number. */
function asText(cell: Cell, digits: number): string {
  if (cell === undefined || cell === null) return "";
  return typeof cell === "number" ? cell.toFixed(digits).replace(/^-(?=0(\.0*)?$)/, "") : String(cell);
}

/**
 * Rows as a table that displays itself in any kernel that knows `Symbol.for("Jupyter.display")`.
 *
 * Training records are rows, too. Of several runs (a list of them, what `trainSeeds` or `sweep` gives, or these by name) it
 * shows the last record of each.
 *
 * @param o.digits decimals of numbers that are not whole (4)
 * @throws {RangeError} if there is no row
 * @throws {TypeError} if the value is neither rows nor runs
 * @example
 * import { table, trainSeeds } from "turnwise";
 * table([{ rule: "grpo", return: 0.98 }, { rule: "rloo", return: 1 }], { caption: "After 100 updates", digits: 2 });
 * table(await trainSeeds({ env: "LookUp-v0", recipe: "grpo", updates: 5 }, 3)).rows.length; // => 3
 */
export function table(
  rows: readonly Readonly<Record<string, Cell>>[] | Runs,
  o: { caption?: string; digits?: number } = {},
): Table {
  return new Table(rowsOf(rows), o.caption, o.digits ?? 4);
}

function rowsOf(given: unknown): readonly Readonly<Record<string, Cell>>[] {
  const action = "show a table";
  if (!Array.isArray(given)) return lastRecords(given, action);
  if (!holdsRuns(given)) return given as readonly Readonly<Record<string, Cell>>[];
  return "metrics" in given[0] ? flatRecords(given, action) : lastRecords(given, action);
}
