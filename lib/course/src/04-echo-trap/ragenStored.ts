import { parseCsv } from "turnwise/internal/base/csv";
import { bootstrapInterval, type Interval } from "turnwise/internal/base/interval";
import { median } from "turnwise/internal/base/statistics";
import { ragenEnvs, ragenRows, type RagenJob, type RagenSummary } from "./ragenRun";

/** A run as `datasets/measured/ragen.csv` holds it, to six digits. */
export interface StoredRagenRun extends RagenSummary {
  readonly env: RagenJob["env"];
  readonly row: RagenJob["row"];
  readonly seed: number;
}

/** The runs of `ragen.csv`. An empty cell is an event that did not happen. */
export function storedRagenRuns(csv: string): readonly StoredRagenRun[] {
  return parseCsv("ragen.csv", csv).map((row) => {
    const entries = Object.entries(row).map(([name, cell]) => [name, cellOf(name, cell)] as const);
    return Object.fromEntries(entries) as unknown as StoredRagenRun;
  });
}

function cellOf(name: string, text: string): string | number | null {
  if (name === "env" || name === "row") return text;
  return text === "" ? null : Number(text);
}

/** One row of rules in one of RAGEN's environments, over seeds. */
export interface RagenLine {
  readonly env: RagenJob["env"];
  readonly row: RagenJob["row"];
  readonly runs: number;
  readonly start: Interval;
  readonly peak: Interval;
  /** Mean reward of the last 20 updates. */
  readonly final: Interval;
  /** Share of the most frequent response in the last 20 updates. */
  readonly topShare: Interval;
  /** Mean reward of the last quarter minus that of the second, run by run. */
  readonly change: Interval;
  /** Runs whose last quarter is below 75% of the best one before. */
  readonly fell: number;
  /** Runs whose in-group std went below a tenth of its best. */
  readonly silent: number;
  readonly silentAt: number | null;
}

/** Every environment and row that was measured, over its seeds; intervals are 95% bootstrap intervals. */
export function ragenReport(runs: readonly StoredRagenRun[]): readonly RagenLine[] {
  return ragenEnvs.flatMap((env) =>
    ragenRows.flatMap((row): RagenLine[] => {
      const own = runs.filter((run) => run.env === env && run.row === row);
      if (own.length === 0) return [];
      const over = (key: "start" | "peak" | "final" | "topShare"): Interval =>
        bootstrapInterval(own.map((run) => run[key]));
      const silent = own.filter(({ stdCliff }) => stdCliff !== null);
      return [
        {
          env,
          row,
          runs: own.length,
          start: over("start"),
          peak: over("peak"),
          final: over("final"),
          topShare: over("topShare"),
          change: bootstrapInterval(own.map(({ q2, q4 }) => q4 - q2)),
          fell: own.filter(({ q1, q2, q3, q4 }) => q4 < 0.75 * Math.max(q1, q2, q3)).length,
          silent: silent.length,
          silentAt: silent.length === 0 ? null : median(silent.map(({ stdCliff }) => stdCliff!)),
        },
      ];
    }),
  );
}
