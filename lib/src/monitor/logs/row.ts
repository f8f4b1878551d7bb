/** A line of a log: whatever it holds, by name. */
export type Row = Readonly<Record<string, unknown>>;

/** Reads the rows of a log from pieces that may end anywhere. */
export interface RowReader {
  /** The rows that a piece completes. */
  push(piece: Uint8Array): Row[];
  /** The rows of an end without a line break; a log that grows on has none. */
  end(): Row[];
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isFiniteNumber(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}
