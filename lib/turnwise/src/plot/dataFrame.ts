import type { DataFrame } from "danfojs-node";
import { holdsRuns, type Runs } from "../sweep/runsOf";
import { flatRecords } from "../sweep/flatRecords";

/**
 * Training records as a danfojs DataFrame: a row per record, a column per number and per metric.
 *
 * Takes records, a list of runs, what `trainSeeds` and `sweep` give, or several of these by name; then columns tell the
 * series and the seed. A metric that a record lacks is NaN. danfojs-node is loaded on first use.
 *
 * @param columns the columns to keep, in order; default: all
 * @throws {RangeError} if there is no record, or none has one of the columns
 * @throws {Error} if danfojs-node is not installed
 * @example
 * import { toDataFrame } from "turnwise";
 * const records = [{ update: 1, metrics: { "reward/mean": 0.5 } }];
 * (await toDataFrame(records)).columns; // => ["update", "reward/mean"]
 */
export async function toDataFrame(
  records: Runs | readonly object[],
  columns?: readonly string[],
): Promise<DataFrame> {
  const rows = rowsOf(records);
  if (rows.length === 0) {
    throw new RangeError("Cannot make a data frame: there must be at least one record, got none.");
  }
  const known = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const missing = (columns ?? []).find((name) => !known.includes(name));
  if (missing !== undefined) {
    throw new RangeError(
      `Cannot make a data frame: every column must be in the records, but "${missing}" is not among ${known.join(", ")}.`,
    );
  }
  const table = Object.fromEntries(
    (columns ?? known).map((name) => [name, rows.map((row) => row[name] ?? NaN)]),
  );
  const danfo: Partial<typeof import("danfojs-node")> = await import("danfojs-node").catch(() => ({}));
  // A bundle for pages has an empty module in its place.
  if (danfo.DataFrame === undefined) {
    throw new Error(
      "Cannot make a data frame: danfojs-node must be installed.\nTo fix it: npm install danfojs-node@1.2.0; in a notebook, %install danfojs-node@1.2.0",
    );
  }
  return new danfo.DataFrame(table);
}

/** Rows that are no training records, such as those of a measured table, are taken as they are. */
function rowsOf(given: unknown): Readonly<Record<string, number | string>>[] {
  const plain = Array.isArray(given) && !holdsRuns(given) && given.every((row) => typeof row === "object");
  return plain ? (given as object[]).map(flatten) : flatRecords(given, "make a data frame");
}

function flatten(record: object): Record<string, number> {
  const { metrics, ...rest } = record as { metrics?: Record<string, number> } & Record<string, unknown>;
  const own = Object.entries(rest).filter((entry): entry is [string, number] => typeof entry[1] === "number");
  return { ...Object.fromEntries(own), ...metrics };
}
