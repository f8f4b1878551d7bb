import { healthyLogs } from "./healthyLogs";

/** On how many of the public logs of healthy runs an alarm was up that has a metric for it. */
export function publicInWords(rule: string): string {
  const judged = healthyLogs.filter(({ blind }) => !blind.includes(rule));
  const up = judged.filter(({ alarms }) => alarms.includes(rule)).length;
  return judged.length === 0
    ? "no public log of a healthy run has its metric"
    : `it went off in ${up} of ${judged.length} public logs of healthy runs`;
}
