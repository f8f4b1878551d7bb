import { outranks, pairedMean, sameAge, strataOf, type PairedMean } from "turnwise/internal/monitor/index";
import { warningWindow } from "../alarms/definitions";
import { runsWith } from "./runsOf";
import type { StoredLanguageRun } from "./stored";

/** Alarms that are compared with success itself. */
export const comparedAlarms = ["unearned silence", "std cliff", "entropy cliff"] as const;

/** Areas under the ROC curve of alarms, in the 25 updates before, for the models under heavy reuse that will fall. */
export interface AlarmAreas {
  readonly falls: number;
  readonly survivors: number;
  /** Area under the ROC curve, by alarm. */
  readonly area: Readonly<Record<string, PairedMean>>;
  /** The same minus that of success itself. */
  readonly beyondSuccess: Readonly<Record<string, PairedMean>>;
}

/** Judges alarms on stored runs, as the study of echo traps in tables does; undefined where none fell or none survived. */
export function alarmAreas(runs: readonly StoredLanguageRun[]): AlarmAreas | undefined {
  const own = runsWith(runs, { reuse: true }).map((run) => ({ ...run, setting: "reuse" }));
  const strata = strataOf(own, warningWindow);
  if (strata.length === 0) return undefined;
  const tables = (alarm: string): ReturnType<typeof sameAge> =>
    sameAge(strata, alarm, warningWindow, outranks);
  const itself = tables("success itself");
  const less = (alarm: string): ReturnType<typeof sameAge> =>
    tables(alarm).map((rows, s) => rows.map((row, i) => row.map((x, j) => x - itself[s]![i]![j]!)));
  const all = ["success itself", ...comparedAlarms];
  return {
    falls: strata[0]!.falls.length,
    survivors: strata[0]!.survivors.length,
    area: Object.fromEntries(all.map((alarm) => [alarm, pairedMean(tables(alarm))])),
    beyondSuccess: Object.fromEntries(comparedAlarms.map((alarm) => [alarm, pairedMean(less(alarm))])),
  };
}
