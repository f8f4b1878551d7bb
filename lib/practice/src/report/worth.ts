import type { AlarmRule } from "turnwise/internal/monitor/index";
import { alarmWorth, judgedOn, type AlarmWorth } from "./alarmWorth";

/** Track record of an alarm on stored runs; undefined if it was never judged at that threshold. */
export function alarmTrackRecord({
  name,
  threshold,
}: Pick<AlarmRule, "name" | "threshold">): AlarmWorth | undefined {
  const worth = alarmWorth[name];
  return worth?.threshold === threshold ? worth : undefined;
}

const percent = (share: number): string => `${Math.round(100 * share)}%`;

/** The same in words, for a line below an alarm. */
export function worthInWords(rule: Pick<AlarmRule, "name" | "threshold">): string {
  const worth = alarmTrackRecord(rule);
  if (worth === undefined) return "how often it is right is not known: it was not tried on stored runs";
  const { sensitivity, falseAlarms, medianLead } = worth;
  const lead = medianLead === null ? "" : `, ${medianLead} updates ahead (median)`;
  return (
    `it went off before ${percent(sensitivity)} of ${judgedOn.falls} stored falls${lead}, ` +
    `and at the same age in ${percent(falseAlarms)} of ${judgedOn.survivors} stored runs that held`
  );
}
