import type { AlarmRun } from "turnwise-course/internal/shared/alarms/stored";
import { warningWindow, watchedRules } from "turnwise-course/internal/shared/alarms/definitions";
import { storedWindows } from "turnwise-course/internal/04-echo-trap/alarms/shownWindow";
import { storedAlarmRuns } from "turnwise-course/internal/shared/alarms/stored";
import { highestBefore } from "turnwise/internal/monitor/sameAge";
import { areaOf } from "./area";
import type { Pool, PoolRun } from "./run";
import { signalNames, signals, type SignalName } from "./signals";

/**
 * The pool of runs, of the tables `echo-trap-windows.csv` and `echo-trap-alarms.csv`: every run of lesson 04's study of alarms that has
 * sixty updates to show. A signal bets as its alarm does there, by its highest level in the last 25 updates.
 */
export function poolOf(windows: string, alarms: string): Pool {
  const key = ({ setting, seed }: { setting: string; seed: number }): string => `${setting} ${seed}`;
  const byKey = new Map(storedAlarmRuns(alarms).map((run) => [key(run), run]));
  const runs = storedWindows(windows).map(
    ({ setting, seed, onset, last, success, equal, std, gradient }): PoolRun => {
      const run = byKey.get(key({ setting, seed }))!;
      return {
        ...{ setting, seed, onset, last, curves: { success, equal, std, gradient } },
        level: bySignal((alarm) => highestBefore(run, alarm, last + 1, warningWindow)),
        reached: bySignal((alarm) => reachedIn(run, alarm, last)),
      };
    },
  );
  return {
    runs,
    areas: Object.fromEntries(
      signalNames.map((name) => [
        name,
        areaOf(runs.map(({ level, onset }) => ({ bet: level[name], fell: onset !== null })))!,
      ]),
    ) as Pool["areas"],
    ladders: bySignal((alarm) => watchedRules.find(({ name }) => name === alarm)!.ladder),
  };
}

const bySignal = <T>(of: (alarm: string) => T): Record<SignalName, T> =>
  Object.fromEntries(signalNames.map((name) => [name, of(signals[name].alarm)])) as Record<SignalName, T>;

/** The update of the last ones at which an alarm first has its highest level there; 0 where it has none. */
function reachedIn({ levels }: AlarmRun, alarm: string, last: number): number {
  const from = last - warningWindow.horizon;
  const own = levels[alarm]!.slice(from, last);
  const highest = Math.max(...own);
  return highest === 0 ? 0 : from + own.indexOf(highest) + 1;
}
