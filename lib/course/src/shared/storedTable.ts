import { parseCsv } from "turnwise/internal/base/csv";

/** A line of a stored table, by column. */
export type StoredRecord = Readonly<Record<string, string | number>>;

/**
 * The rows of a CSV text whose first line names the columns; cells that read as numbers are numbers.
 *
 * @throws {RangeError} if a line has another number of cells than the first
 */
export function storedTable(text: string): StoredRecord[] {
  return parseCsv("a stored table", text).map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, valueOf(cell)])),
  );
}

function valueOf(cell: string): string | number {
  return cell !== "" && Number.isFinite(Number(cell)) ? Number(cell) : cell;
}
