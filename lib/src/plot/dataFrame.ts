import type { DataFrame } from "danfojs-node";

/**
 * Training records as a danfojs DataFrame: a row per record, a column per number and per metric.
 *
 * A metric that a record lacks is NaN. danfojs-node is loaded on first use.
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
  records: readonly object[],
  columns?: readonly string[],
): Promise<DataFrame> {
  if (records.length === 0) {
    throw new RangeError(
      "Cannot make a data frame as there must be at least one record: current length is 0",
    );
  }
  const rows = records.map(flatten);
  const known = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const missing = (columns ?? []).find((name) => !known.includes(name));
  if (missing !== undefined) {
    throw new RangeError(
      `Cannot make a data frame as every column must be in the records: "${missing}" is not among ${known.join(", ")}`,
    );
  }
  const table = Object.fromEntries(
    (columns ?? known).map((name) => [name, rows.map((row) => row[name] ?? NaN)]),
  );
  const danfo = await import("danfojs-node").catch(() => {
    throw new Error(
      "Cannot make a data frame as danfojs-node must be installed: npm install danfojs-node@1.2.0",
    );
  });
  return new danfo.DataFrame(table);
}

function flatten(record: object): Record<string, number> {
  const { metrics, ...rest } = record as { metrics?: Record<string, number> } & Record<string, unknown>;
  const own = Object.entries(rest).filter((entry): entry is [string, number] => typeof entry[1] === "number");
  return { ...Object.fromEntries(own), ...metrics };
}
