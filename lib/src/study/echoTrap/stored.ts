import { parseCsv } from "../../base/csv";
import type { AlarmName, AlarmTimes, WatchedRun } from "../../monitor";
import type { LeverName } from "./levers";
import type { RunSummary } from "./summary";
import type { TrapName } from "./traps";

/** A run as `datasets/measured/echo-trap.csv` holds it, to six digits. */
export interface StoredRun extends RunSummary {
  readonly part: string;
  readonly trap: TrapName;
  readonly lever: LeverName;
  /** What differs from the trap, such as "logProbNoise=0.1"; empty when nothing does. */
  readonly change: string;
  readonly seed: number;
}

/** A run as `datasets/measured/echo-trap-alarms.csv` holds it. */
export interface StoredWatch {
  readonly trap: TrapName;
  readonly lever: LeverName;
  readonly seed: number;
  readonly run: WatchedRun;
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

/** The text of `echo-trap-alarms.csv`. */
export function watchesToCsv(watches: readonly StoredWatch[]): string {
  const rungs = watches[0]?.run.times[0]?.at.map((_, rung) => `rung${rung}`) ?? [];
  const lines = watches.flatMap(({ trap, lever, seed, run }) =>
    run.times.map(({ rule, at }) =>
      [trap, seed, cellOf(run.fall), rule, ...at.map(cellOf), `"${lever}"`].join(","),
    ),
  );
  return [["trap,seed,fall,rule", ...rungs, "lever"].join(","), ...lines].join("\n") + "\n";
}

function cellOf(value: string | number | boolean | null): string {
  if (value === null) return "";
  if (typeof value === "boolean") return value ? "1" : "0";
  return typeof value === "number" ? String(Number(value.toPrecision(6))) : value;
}

/** The runs of `echo-trap-alarms.csv`, each with the alarm times of every rule. */
export function storedWatches(csv: string): readonly StoredWatch[] {
  const runs = new Map<string, StoredWatch & { run: { fall: number | null; times: AlarmTimes[] } }>();
  for (const row of parseCsv("a stored table of the echo trap", csv)) {
    const [trap, lever, seed] = [row["trap"], row["lever"], row["seed"]];
    const key = [trap, lever, seed].join();
    const fall = row["fall"] === "" ? null : Number(row["fall"]);
    const stored = runs.get(key) ?? {
      trap: trap as TrapName,
      lever: lever as LeverName,
      seed: Number(seed),
      run: { fall, times: [] },
    };
    const at = Object.entries(row)
      .filter(([name]) => name.startsWith("rung"))
      .map(([, cell]) => (cell === "" ? null : Number(cell)));
    stored.run.times.push({ rule: row["rule"] as AlarmName, at });
    runs.set(key, stored);
  }
  return [...runs.values()];
}
