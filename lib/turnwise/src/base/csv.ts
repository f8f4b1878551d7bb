import { csvFormatBody, csvFormatRow, csvParseRows } from "d3-dsv";

/** A row of a table, by column; every cell is text. */
export type CsvRow = Readonly<Record<string, string>>;

/**
 * The rows of a CSV text (RFC 4180) whose first line names the columns.
 *
 * @param what completes "Cannot read ..."
 * @throws {RangeError} if a line does not have as many cells as the first
 */
export function parseCsv(what: string, text: string): CsvRow[] {
  const [head = [], ...rows] = csvParseRows(text.trim());
  return rows.map((cells, i) => {
    if (cells.length !== head.length) {
      throw new RangeError(
        `Cannot read ${what}: every line must have ${head.length} cells, but line ${i + 2} has ${cells.length}.`,
      );
    }
    return Object.fromEntries(head.map((name, c) => [name, cells[c]!]));
  });
}

/** The cells of one CSV line. */
export function parseCsvLine(line: string): string[] {
  return csvParseRows(line)[0] ?? [];
}

/** A CSV text with a header line and a final newline; cells are quoted where necessary. */
export function formatCsv(
  columns: readonly string[],
  rows: readonly Readonly<Record<string, string | number>>[],
): string {
  const head = csvFormatRow([...columns]);
  const body = csvFormatBody(rows as Record<string, string | number>[], [...columns]);
  return rows.length === 0 ? `${head}\n` : `${head}\n${body}\n`;
}
