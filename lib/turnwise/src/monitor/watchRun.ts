import { alarmRules, isBeyond, thresholdLadders, type AlarmName, type AlarmRule } from "./alarmRules";
import { courseOf, type Course } from "./fall";
import { SignalTracker, type MonitorRecord } from "./signals";

/** A rule whose thresholds are tried all at once. */
export interface LadderedRule extends Pick<AlarmRule, "name" | "signal" | "direction" | "patience"> {
  /** From the most to the least sensitive. */
  readonly ladder: readonly number[];
}

/** The alarms of the monitor, each with its ladder. */
export const ladderedRules: readonly LadderedRule[] = Object.freeze(
  alarmRules.map(({ name, signal, direction, patience }) =>
    Object.freeze({ name, signal, direction, patience, ladder: thresholdLadders[name as AlarmName] }),
  ),
);

/** Facts about a run that are needed to judge alarms. */
export interface WatchedRun extends Course {
  /** Length of the run. */
  readonly updates: number;
  /**
   * For each rule, its level at every update from the first on: at how many thresholds of its ladder it was up.
   *
   * A rule is up at an update if its signal has been beyond the threshold for `patience` records in a row, this one included;
   * records of the warm-up, and those that lack the signal, do not count. A level tells all thresholds, as a rule that is up
   * at one is up at every more sensitive one. Levels end with the update before the onset of the fall.
   */
  readonly levels: Readonly<Record<string, readonly number[]>>;
}

/** Tries every rule with every threshold of its ladder on a finished run. */
export function watchRun(
  records: readonly MonitorRecord[],
  rules: readonly LadderedRule[] = ladderedRules,
): WatchedRun {
  const tracker = new SignalTracker();
  const signals = records.map((record) => tracker.next(record));
  const course = courseOf(signals.map(({ success }) => success));
  const watched = signals.slice(0, course.onset === null ? undefined : course.onset - 1);
  const levels = rules.map(({ name, ladder, patience, ...rule }) => {
    const streaks = ladder.map(() => 0);
    const level_u = watched.map((s, i) => {
      if (i < tracker.warmUp) return 0;
      if (s[rule.signal] !== undefined) {
        ladder.forEach((threshold, rung) => {
          streaks[rung] = isBeyond(rule, threshold, s) ? streaks[rung]! + 1 : 0;
        });
      }
      return streaks.filter((streak) => streak >= patience).length;
    });
    return [name, level_u] as const;
  });
  return { updates: records.length, ...course, levels: Object.fromEntries(levels) };
}
