import { mean } from "../base/statistics";
import type { CurveRecord } from "./runsOf";

/**
 * A metric averaged over the last `last` records of each run.
 *
 * @throws {RangeError} if a record lacks the metric
 */
export function finalValues(
  runs: readonly (readonly CurveRecord[])[],
  metric: string,
  last: number,
): number[] {
  return runs.map((run, i) => {
    const tail = run.slice(-last).map((record) => record.metrics[metric]);
    if (tail.length === 0 || tail.some((x) => x === undefined)) {
      throw new RangeError(
        `Cannot summarize "${metric}": the last ${last} records of every run must hold it, but run ${i} has ` +
          `${Object.keys(run.at(-1)?.metrics ?? {}).join(", ") || "no records"}.`,
      );
    }
    return mean(tail as readonly number[]);
  });
}
