/** A line of a stored table, by column. */
export type StoredRow = Readonly<Record<string, string | number>>;

/**
 * The rows of a CSV text whose first line names the columns; cells that read as numbers are numbers. A cell in double quotes
 * may hold commas, and is text.
 *
 * @throws RangeError for a line with another number of cells than the first
 */
export function storedTable(text: string): StoredRow[] {
  const [head = [], ...lines] = text
    .trim()
    .split("\n")
    .map((line) => [...`${line},`.matchAll(/("[^"]*"|[^,]*),/g)].map(([, cell]) => cell!));
  return lines.map((cells, i) => {
    if (cells.length !== head.length) {
      throw new RangeError(
        `Cannot read a stored table as every line must have ${head.length} cells: line ${i + 2} has ${cells.length}`,
      );
    }
    return Object.fromEntries(head.map((name, c) => [name, valueOf(cells[c]!)]));
  });
}

function valueOf(cell: string): string | number {
  if (cell.startsWith('"')) return cell.slice(1, -1);
  return cell !== "" && Number.isFinite(Number(cell)) ? Number(cell) : cell;
}
