import { runsInWords, type LogRun } from "./runs";

/**
 * The run of a number, from 1; without one, the last.
 *
 * @throws {RangeError} if it is not the number of a run
 */
export function chooseRun(
  runs: readonly Pick<LogRun, "first" | "last" | "resumed">[],
  run?: string | number,
): number {
  if (run === undefined) return runs.length;
  const number = typeof run === "number" ? run : /^\d+$/.test(run) ? Number(run) : NaN;
  if (Number.isInteger(number) && number >= 1 && number <= runs.length) return number;
  const held =
    runs.length > 1 ? runsInWords(runs)! : `1 run: ${runs[0]?.first ?? "-"}-${runs[0]?.last ?? "-"}`;
  throw new RangeError(
    `Cannot read a log: run must be a number from 1 to ${runs.length}, since it holds ${held}, got ${JSON.stringify(run)}.`,
  );
}
