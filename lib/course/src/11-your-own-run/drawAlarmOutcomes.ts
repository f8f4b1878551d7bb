import { measured } from "../shared/measured";
import { alarmReport } from "../shared/alarms/alarmReport";
import { warningWindow } from "../shared/alarms/definitions";
import { followedShare } from "../shared/alarms/rates";
import { storedAlarmRuns } from "../shared/alarms/stored";
import { countUpdates } from "../shared/alarms/updates";
import { thresholdLadders, type AlarmName } from "turnwise/internal/monitor/index";
import { estimateChart, type Chart, type Estimate } from "turnwise/internal/plot/index";
import type { Log } from "turnwise-practice/internal/report/log";

/**
 * When an alarm of this log is up, how often does a fall follow? Counted on the stored runs whose end is known, at the threshold of
 * the alarm, beside how often one follows at any update.
 *
 * @throws {RangeError} if no alarm went off that was ever judged
 * @example
 * import { drawAlarmOutcomes } from "turnwise-course/your-own-run";
import { readLog } from "turnwise-practice";
 * const line = (i: number) => ({ step: i + 1, reward: 0.5, frac_reward_zero_std: 0, entropy: i < 25 ? 1 : 0.04 });
 * const lines = Array.from({ length: 40 }, (_, i) => JSON.stringify(line(i)));
 * drawAlarmOutcomes(readLog(lines.join("\n"))); // of the entropy cliff
 */
export function drawAlarmOutcomes(log: Log): Chart {
  const { strata, falls, survivors } = alarmReport(storedAlarmRuns(measured("echo-trap-alarms")));
  const followed = (label: string, rule?: { name: string; rung: number }): Estimate[] => {
    const rate = followedShare(countUpdates(strata, warningWindow, rule));
    return rate === undefined ? [] : [{ label, ...rate }];
  };
  const names = new Map(log.watch().alarms.map(({ rule, threshold }) => [rule, threshold]));
  const judged = [...names].flatMap(([name, threshold]) => {
    const ladder: readonly number[] = thresholdLadders[name as AlarmName] ?? [];
    return ladder.includes(threshold) ? followed(name, { name, rung: ladder.indexOf(threshold) }) : [];
  });
  if (judged.length === 0) {
    throw new RangeError(
      `Cannot draw what follows: an alarm must have gone off that was judged, but those that did are ${[...names.keys()].join(", ") || "none"}.`,
    );
  }
  const any = followed("any update");
  const best = judged.reduce((a, b) => (b.mean > a.mean ? b : a));
  const others = any.map(({ label, mean }) => `, in ${mean.toFixed(2)} after ${label}`);
  return estimateChart([...judged, ...any], {
    title: `A fall follows in ${best.mean.toFixed(2)} after ${best.label}${others.join("")}`,
    subtitle: `within ${warningWindow.horizon} updates, in ${falls + survivors} runs of which ${falls} fell; bar: 95 % interval`,
    xTitle: "share of updates that a fall follows",
    domain: [0, 1],
  });
}
