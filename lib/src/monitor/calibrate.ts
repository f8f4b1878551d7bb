import { alarmRules, isBeyond, thresholdLadders, type AlarmName } from "./alarmRules";
import { fallOf } from "./fall";
import { median } from "../base/statistics";
import { SignalTracker, type MonitorRecord } from "./signals";

/** When a rule first went off in a run, for each threshold of its ladder; null if it did not. */
export interface AlarmTimes {
  readonly rule: AlarmName;
  readonly at: readonly (number | null)[];
}

/** What scoring alarms needs to know about a run. */
export interface WatchedRun {
  /** The update at which success fell; null in a run that held. */
  readonly fall: number | null;
  readonly times: readonly AlarmTimes[];
}

/** Tries every rule with every threshold of its ladder on a finished run. */
export function watchRun(records: readonly MonitorRecord[]): WatchedRun {
  const tracker = new SignalTracker();
  const signals = records.map((record) => tracker.next(record));
  const times = alarmRules.map((rule) => {
    const name = rule.name as AlarmName;
    const at = thresholdLadders[name].map((threshold) => {
      let streak = 0;
      for (const s of signals.slice(tracker.warmUp)) {
        if (s[rule.signal] === undefined) continue;
        streak = isBeyond(rule, threshold, s) ? streak + 1 : 0;
        if (streak === rule.patience) return s.update;
      }
      return null;
    });
    return { rule: name, at };
  });
  return { fall: fallOf(signals.map((s) => s.success)), times };
}

export interface AlarmScore {
  readonly rule: AlarmName;
  readonly threshold: number;
  /** Share of falling runs in which the rule went off before the fall. */
  readonly detected: number;
  /** Median over those runs of (update of the fall - update of the alarm); null if it never warned. */
  readonly leadTime: number | null;
  /** Share of runs without a fall in which the rule went off. */
  readonly falseAlarms: number;
  readonly falling: number;
  readonly holding: number;
}

/** How well a rule does on some runs with the threshold of a rung. */
export function scoreAlarm(runs: readonly WatchedRun[], rule: AlarmName, rung: number): AlarmScore {
  const timeOf = (run: WatchedRun): number | null =>
    run.times.find((times) => times.rule === rule)?.at[rung] ?? null;
  const falling = runs.filter((run) => run.fall !== null);
  const holding = runs.filter((run) => run.fall === null);
  const leads = falling.flatMap((run) => {
    const at = timeOf(run);
    return at !== null && at < run.fall! ? [run.fall! - at] : [];
  });
  return {
    rule,
    threshold: thresholdLadders[rule][rung]!,
    detected: share(leads.length, falling.length),
    leadTime: leads.length === 0 ? null : median(leads),
    falseAlarms: share(holding.filter((run) => timeOf(run) !== null).length, holding.length),
    falling: falling.length,
    holding: holding.length,
  };
}

/**
 * For each rule, the rung of its ladder that warns of most falls while at most `falseAlarms` of the runs that hold set it off;
 * if no rung is that quiet, the quietest one. Ties go to the longer lead, then to the less sensitive rung.
 *
 * Score the result on other runs than those it was calibrated on.
 *
 * @throws {RangeError} unless at least one run falls and one holds
 */
export function calibrate(
  runs: readonly WatchedRun[],
  { falseAlarms = 0.1 }: { readonly falseAlarms?: number } = {},
): Readonly<Record<AlarmName, number>> {
  const falling = runs.filter((run) => run.fall !== null).length;
  if (falling === 0 || falling === runs.length) {
    throw new RangeError(
      `Cannot calibrate alarms as there must be runs that fall and runs that hold: current numbers are ${falling} and ${runs.length - falling}`,
    );
  }
  const names = Object.keys(thresholdLadders) as AlarmName[];
  const rungs = names.map((rule) => {
    const scores = thresholdLadders[rule].map((_, rung) => scoreAlarm(runs, rule, rung));
    const quiet = scores.filter((score) => score.falseAlarms <= falseAlarms);
    const best = quiet.length > 0 ? bestOf(quiet, byDetection) : bestOf(scores, byQuiet);
    return [rule, scores.indexOf(best)] as const;
  });
  return Object.fromEntries(rungs) as Record<AlarmName, number>;
}

const byDetection = (s: AlarmScore): readonly [number, number] => [s.detected, s.leadTime ?? 0];

const byQuiet = (s: AlarmScore): readonly [number, number] => [-s.falseAlarms, 0];

function bestOf(
  scores: readonly AlarmScore[],
  key: (s: AlarmScore) => readonly [number, number],
): AlarmScore {
  return scores.reduce((best, score) => {
    const [a, b] = [key(best), key(score)];
    return b[0] > a[0] || (b[0] === a[0] && b[1] >= a[1]) ? score : best;
  });
}

function share(part: number, whole: number): number {
  return whole === 0 ? NaN : part / whole;
}
