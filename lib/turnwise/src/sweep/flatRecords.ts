import { bySeries, runsOf } from "./runsOf";

/** A record as one row: its numbers, the kind of compute, then its metrics, after the series and the seed where runs are told apart by them. */
export type FlatRecord = Readonly<Record<string, number | string>>;

/**
 * All records, run by run.
 *
 * @param action completes "Cannot ..."
 * @throws {TypeError} if the value holds no runs
 */
export function flatRecords(given: unknown, action: string): FlatRecord[] {
  const runs = runsOf(given, action);
  const series = bySeries(runs);
  const named = series.size > 1 || !series.has("run");
  return runs.flatMap(({ series, seed, records }, i) =>
    records.map((record) => ({
      ...(named && { series }),
      ...(seed !== undefined ? { seed } : runs.length > 1 && { seed: i }),
      ...flat(record as unknown as Readonly<Record<string, unknown>>),
    })),
  );
}

/** The last record of each run. */
export function lastRecords(given: unknown, action: string): FlatRecord[] {
  const runs = runsOf(given, action).filter(({ records }) => records.length > 0);
  return flatRecords(
    runs.map(({ series, seed, records }) => [
      { ...records.at(-1)!, series, ...(seed !== undefined && { seed }) },
    ]),
    action,
  );
}

function flat({ metrics, series: _s, seed: _n, ...rest }: Readonly<Record<string, unknown>>): FlatRecord {
  const numbers = (of: object): (readonly [string, number])[] =>
    Object.entries(of).filter((entry): entry is [string, number] => typeof entry[1] === "number");
  const { compute } = rest;
  return {
    ...Object.fromEntries(numbers(rest)),
    ...(typeof compute === "string" && { compute }),
    ...Object.fromEntries(numbers(metrics as object)),
  };
}
