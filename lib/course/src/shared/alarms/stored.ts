import { formatCsv, parseCsv } from "turnwise/internal/base/csv";
import type { WatchedRun } from "turnwise/internal/monitor/index";
import { watchedRules, type AlarmSetting } from "./definitions";
import { packed, unpacked } from "./packed";

const facts = ["setting", "seed", "updates", "rose", "fall", "onset"] as const;
const columns: readonly string[] = [...facts, ...watchedRules.map(({ name }) => name)];

/** A run on which alarms are judged. */
export interface AlarmRun extends WatchedRun {
  readonly setting: AlarmSetting;
  readonly seed: number;
}

/**
 * The text of `echo-trap-alarms.csv`: a row for each run, a column for each alarm.
 *
 * A column holds the level of its alarm from the first update on, equal ones as their number: "0x12 3 0x40".
 */
export function alarmRunsToCsv(runs: readonly AlarmRun[]): string {
  return formatCsv(
    columns,
    runs.map(({ setting, seed, updates, rose, fall, onset, levels }) => ({
      ...{ setting, seed, updates, rose: Number(rose), fall: fall ?? "", onset: onset ?? "" },
      ...Object.fromEntries(watchedRules.map(({ name }) => [name, packed(levels[name] ?? [])])),
    })),
  );
}

/** The runs of `echo-trap-alarms.csv`. */
export function storedAlarmRuns(csv: string): readonly AlarmRun[] {
  return parseCsv("a stored table of alarms", csv).map((row) => {
    const event = (cell = ""): number | null => (cell === "" ? null : Number(cell));
    return {
      setting: row["setting"] as AlarmSetting,
      seed: Number(row["seed"]),
      updates: Number(row["updates"]),
      rose: row["rose"] === "1",
      fall: event(row["fall"]),
      onset: event(row["onset"]),
      levels: Object.fromEntries(watchedRules.map(({ name }) => [name, unpacked(row[name] ?? "")])),
    };
  });
}
