import { parseCsv } from "turnwise/internal/base/csv";
import type { LeverName } from "./levers";
import type { RunSummary } from "./runSummary";
import type { TrapName } from "./traps";

/** A run as `datasets/measured/echo-trap.csv` holds it, to six digits. */
export interface StoredRun extends RunSummary {
  readonly part: string;
  readonly trap: TrapName;
  readonly lever: LeverName;
  /** Difference from the trap, such as "logProbNoise=0.1"; empty if there is none. */
  readonly change: string;
  readonly seed: number;
}

/** The runs of `echo-trap.csv`. An empty cell is an event that did not happen. */
export function storedRuns(csv: string): readonly StoredRun[] {
  return parseCsv("a stored table of the echo trap", csv).map((row) => {
    const number = (name: string): number => Number(row[name]);
    const event = (name: string): number | null => ((row[name] ?? "") === "" ? null : number(name));
    return {
      part: row["part"],
      trap: row["trap"] as TrapName,
      lever: row["lever"] as LeverName,
      change: row["change"],
      seed: number("seed"),
      final: number("final"),
      peak: number("peak"),
      collapsed: row["collapsed"] === "1",
      stdCliff: event("stdCliff"),
      entropyCliff: event("entropyCliff"),
      fall: event("fall"),
      onset: event("onset"),
      burst: event("burst"),
      spike: event("spike"),
      silence: event("silence"),
      windows: number("windows"),
      burstWindows: number("burstWindows"),
      spikeWindows: number("spikeWindows"),
      maxGradNorm: number("maxGradNorm"),
      turns: number("turns"),
      entropy: number("entropy"),
      topShare: number("topShare"),
      fracZeroStd: number("fracZeroStd"),
      samples: number("samples"),
      optimizerSteps: number("optimizerSteps"),
      stoppedAt: event("stoppedAt"),
    };
  });
}

const columns = (
  "part,trap,change,seed,final,peak,collapsed,stdCliff,entropyCliff,fall,onset,burst,spike,silence,windows,burstWindows," +
  "spikeWindows,maxGradNorm,turns,entropy,topShare,fracZeroStd,samples,optimizerSteps,stoppedAt,lever"
).split(",") as readonly (keyof StoredRun)[];

/**
 * The text of `echo-trap.csv`; numbers have six digits.
 *
 * Written here and not by `formatCsv`, which would quote a lever only where it must: the stored file quotes every one.
 */
export function runsToCsv(runs: readonly StoredRun[]): string {
  const line = (run: StoredRun): string =>
    columns.map((name) => (name === "lever" ? `"${run.lever}"` : cellOf(run[name]))).join(",");
  return [columns.join(","), ...runs.map(line)].join("\n") + "\n";
}

function cellOf(value: string | number | boolean | null): string {
  if (value === null) return "";
  if (typeof value === "boolean") return value ? "1" : "0";
  return typeof value === "number" ? String(Number(value.toPrecision(6))) : value;
}
