import { storedTable } from "../../shared/storedTable";
import type { TunedPoint } from "./rates";
import type { MatchedRun } from "./run";

/** The columns of `datasets/measured/order-matched.csv`. */
export const matchedColumns = [
  "world",
  "arm",
  "rate",
  "seed",
  "success",
  "failedAt",
  "samples",
  "turns",
  "optimizerSteps",
  "passes",
  "klFirst",
  "kl",
] as const satisfies readonly (keyof MatchedRun)[];

/** The columns of `datasets/measured/order-matched-rates.csv`. */
export const tuningColumns = [
  "world",
  "arm",
  "rate",
  "seeds",
  "success",
  "klFirst",
  "samples",
  "turns",
  "optimizerSteps",
  "passes",
] as const satisfies readonly (keyof TunedPoint)[];

/** The runs of `order-matched.csv`. */
export const storedMatchedRuns = (csv: string): MatchedRun[] => storedTable(csv) as unknown as MatchedRun[];

/** The learning rates chosen from `order-matched-rates.csv`. */
export const storedTuning = (csv: string): TunedPoint[] => storedTable(csv) as unknown as TunedPoint[];

/** A table as text: six digits, and names with commas between quotes. */
export function csvOf<K extends string>(
  columns: readonly K[],
  lines: readonly Readonly<Record<K, string | number>>[],
): string {
  const cell = (value: string | number): string =>
    typeof value === "string" ? `"${value}"` : String(Number(value.toPrecision(6)));
  return [columns.join(","), ...lines.map((line) => columns.map((name) => cell(line[name])).join(","))]
    .join("\n")
    .concat("\n");
}
