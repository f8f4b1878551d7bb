/** A line of a log: whatever it holds, by name. */
export type Row = Readonly<Record<string, unknown>>;

/** Texts of more characters are no number, NaN or step. */
const LONGEST_NUMBER = 64;

/** Levels of a row within a row: a logger that unfolds `critic/score/mean` has three. */
const DEEPEST = 3;

/** The row without its texts, lists and deep parts, which hold no metric: files that turn out to be no log may be larger than the memory. */
export function slim(row: Row, depth = DEEPEST): Row {
  const kept = (value: unknown): unknown => {
    if (typeof value === "string") return value.length > LONGEST_NUMBER ? "" : value;
    if (isObject(value)) return depth > 0 ? slim(value, depth - 1) : "";
    return Array.isArray(value) ? "" : value;
  };
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, kept(value)]));
}

import type { Failure } from "./containers/failure";

/** Reads the rows of a log from pieces that may end anywhere. */
export interface RowReader {
  /** The rows that a piece completes. */
  push(piece: Uint8Array): Row[];
  /** The rows of an end without a line break; a log that grows on has none. */
  end(): Row[];
  /** The last line, where it was cut off and could not be read. */
  readonly cut?: string | undefined;
  /** Whether the log has names for its runs, of which one was chosen. */
  readonly named?: boolean;
  /** The error after the last row, where the log is of a console. */
  readonly failure?: Failure | undefined;
  /** The configuration that was printed before the first row. */
  readonly config?: Readonly<Record<string, unknown>> | undefined;
  /** The highest rate of dropout of a model that was printed, as PyTorch prints its modules. */
  readonly dropout?: number | undefined;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** NaN or an infinity, also as Python writes them in text; undefined for all else. */
export function notFinite(value: unknown): number | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? undefined : value;
  const word = typeof value === "string" ? /^\s*([-+]?)(nan|inf(?:inity)?)\s*$/i.exec(value) : null;
  if (word === null) return undefined;
  if (word[2]!.toLowerCase() === "nan") return NaN;
  return word[1] === "-" ? -Infinity : Infinity;
}

export function isFiniteNumber(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}
