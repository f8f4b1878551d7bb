import { formatCsv, parseCsv } from "turnwise/internal/base/csv";
import type { MetricName } from "turnwise/internal/base/glossary";
import { createRng } from "turnwise/internal/base/rng";
import { echoTrapTraining } from "../echoTrapRun";
import type { AlarmRun } from "../../shared/alarms/stored";
import { alarmSettings, type AlarmSetting } from "../../shared/alarms/definitions";

/** Updates of a run that are shown before the question whether it is about to fall. */
const SHOWN = 60;
/** Updates after those, which tell the answer. */
const AFTER = 40;

/** Sixty updates of a run, up to the one before its fall or, if it held, to an age at which another of its setting fell. */
export interface PlacedWindow {
  readonly setting: AlarmSetting;
  readonly seed: number;
  readonly onset: number | null;
  /** The last update that is shown. */
  readonly last: number;
}

/** The metrics that are shown, each by the word that the table has for it. */
const shownMetrics = {
  success: "success/mean",
  std: "reward/std",
  equal: "reward/fracZeroStd",
  gradient: "policy/gradNorm",
} as const satisfies Readonly<Record<string, MetricName>>;

type Shown = keyof typeof shownMetrics;
const words = Object.keys(shownMetrics) as Shown[];

/** A window with what was measured in it; success goes on for the updates after. */
export interface ShownWindow extends PlacedWindow, Readonly<Record<Shown, readonly number[]>> {}

/**
 * A window for every run that can have one: that fell after at least sixty updates, or rose and did not fall.
 *
 * The window of a run that held ends where that of a fall of the same setting does, drawn by its seed: neither age nor setting tells the
 * answer.
 */
export function placedWindows(runs: readonly AlarmRun[]): PlacedWindow[] {
  const able = runs.filter(({ rose, onset }) => rose && (onset === null || onset > SHOWN));
  return able.map(({ setting, seed, onset }) => {
    if (onset !== null) return { setting, seed, onset, last: onset - 1 };
    const onsets = able.flatMap((run) => (run.setting === setting && run.onset !== null ? [run.onset] : []));
    const drawn = createRng(seed).split("window").below(onsets.length);
    return { setting, seed, onset, last: onsets[drawn]! - 1 };
  });
}

/** Trains the run of a window again, up to the updates after it. */
export async function shownWindow({ setting, seed, onset, last }: PlacedWindow): Promise<ShownWindow> {
  const measured: Record<Shown, number[]> = { success: [], std: [], equal: [], gradient: [] };
  const run = echoTrapTraining({
    trap: "reuse",
    lever: "vanilla",
    seed,
    change: alarmSettings[setting],
  });
  for await (const { update, metrics } of run) {
    if (update > last + AFTER) break;
    if (update <= last - SHOWN) continue;
    for (const word of words) {
      if (word === "success" || update <= last)
        measured[word].push(Number(metrics[shownMetrics[word]]!.toPrecision(3)));
    }
  }
  return { setting, seed, onset, last, ...measured };
}

/** The text of `echo-trap-windows.csv`: a row for each window, a column for each metric with its values from the first update on. */
export const shownWindowsToCsv = (windows: readonly ShownWindow[]): string =>
  formatCsv(
    ["setting", "seed", "onset", "last", ...words],
    windows.map((window) => ({
      ...{ setting: window.setting, seed: window.seed, onset: window.onset ?? "", last: window.last },
      ...Object.fromEntries(words.map((word) => [word, window[word].join(" ")])),
    })),
  );

/** The windows of `echo-trap-windows.csv`. */
export function storedWindows(csv: string): readonly ShownWindow[] {
  return parseCsv("a stored table of windows", csv).map((row) => {
    const values = (word: Shown): number[] => row[word]!.split(" ").map(Number);
    return {
      setting: row["setting"] as AlarmSetting,
      seed: Number(row["seed"]),
      onset: row["onset"] === "" ? null : Number(row["onset"]),
      last: Number(row["last"]),
      success: values("success"),
      std: values("std"),
      equal: values("equal"),
      gradient: values("gradient"),
    };
  });
}
