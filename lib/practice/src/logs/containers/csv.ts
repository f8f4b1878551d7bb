import { parseCsvLine } from "turnwise/internal/base/csv";
import type { Row, RowReader } from "../row";
import { readerOfLines } from "./lines";

/** A column of a chart that wandb exported: the run's name, a dash, and the metric's. */
const ofRun = /^(?<run>.+?) - (?<name>\S+)$/;
/** Beside each curve, wandb exports the ends of its band. */
const bandEnd = /__(MIN|MAX)$/;

/**
 * A table with a header, as dashboards export them; empty cells are missing values.
 *
 * Where columns carry the names of runs, as in a chart that wandb exported, those of one run are read without its name.
 */
export function csvReader(run?: string): RowReader {
  let header: readonly (string | null)[] | undefined;
  let named = false;
  const reader = readerOfLines(
    (content, line) => {
      const cells = parseCsvLine(content);
      if (header !== undefined) return rowOf(header, cells, line);
      header = columnsOfRun(cells, run);
      named = cells.some((cell) => ofRun.test(cell));
      return undefined;
    },
    (content) => header !== undefined && parseCsvLine(content).length < header.length,
  );
  return {
    ...reader,
    get cut() {
      return reader.cut;
    },
    get named() {
      return named;
    },
  };
}

/** Null for an empty cell, a number, or the text itself. */
function cellOf(text: string): number | string | null {
  if (text.trim() === "") return null;
  const value = Number(text);
  return Number.isNaN(value) ? text : value;
}

/** @throws {TypeError} unless there is a cell for each column */
export function rowOf(header: readonly (string | null)[], cells: readonly string[], line: number): Row {
  if (cells.length !== header.length) {
    throw new TypeError(
      `Cannot read a log: each row must have ${header.length} cells, but line ${line} has ${cells.length}.`,
    );
  }
  return Object.fromEntries(
    header.flatMap((name, i) => (name === null ? [] : [[name, cellOf(cells[i]!)] as const])),
  );
}

/**
 * The names of the columns, null for those that are not read.
 *
 * @throws {RangeError} if there are several runs and none is chosen, or an unknown one
 */
function columnsOfRun(header: readonly string[], wanted: string | undefined): readonly (string | null)[] {
  const parts = header.map((cell) => ofRun.exec(cell)?.groups);
  const runs = [...new Set(parts.flatMap((part) => (part ? [part.run!] : [])))];
  if (runs.length === 0) return header;
  const run = wanted ?? (runs.length === 1 ? runs[0]! : undefined);
  if (run === undefined || !runs.includes(run)) {
    throw new RangeError(
      `Cannot read a log: run must be one of ${runs.map((one) => `"${one}"`).join(", ")}, ` +
        `got ${run === undefined ? "undefined" : `"${run}"`}.`,
    );
  }
  return header.map((cell, i) => {
    const part = parts[i];
    if (!part) return cell;
    return part.run === run && !bandEnd.test(part.name!) ? part.name! : null;
  });
}
