import { median } from "turnwise/internal/base/statistics";
import { alarmRates, alarmRules, thresholdLadders, type AlarmName } from "turnwise/internal/monitor/index";
import { alarmReport, leadsOf } from "../../shared/alarms/alarmReport";
import { warningWindow } from "../../shared/alarms/definitions";
import { storedAlarmRuns } from "../../shared/alarms/stored";

const round = (x: number): number => Number(x.toFixed(3));

/**
 * The source of `practice/logs/alarmWorth.ts`: what each alarm of the monitor is worth at its own threshold, on the confirming
 * half of the stored runs.
 */
export function alarmWorthSource(csv: string): string {
  const { strata, falls, survivors } = alarmReport(storedAlarmRuns(csv));
  const lines = alarmRules.map(({ name, threshold }) => {
    const rung = (thresholdLadders[name as AlarmName] as readonly number[]).indexOf(threshold);
    const { sensitivity, falseAlarms } = alarmRates(strata, name, rung, warningWindow);
    const leads = leadsOf(strata, name, rung);
    const worth = {
      threshold,
      sensitivity: round(sensitivity),
      falseAlarms: round(falseAlarms),
      medianLead: leads.length === 0 ? null : median(leads),
    };
    return `  ${JSON.stringify(name)}: ${JSON.stringify(worth)},`;
  });
  return `/**
   * Share of runs in which an alarm is up in the ${warningWindow.horizon} updates before a fall, and at the same age in
   * runs that hold.
   */
export interface AlarmWorth {
  readonly threshold: number;
  /** Share of falls with the alarm up before their onset. */
  readonly sensitivity: number;
  /** The mean over falls of the share of survivors with the alarm up in the same window. */
  readonly falseAlarms: number;
  /** Updates from the alarm to the onset, for the falls that it warned of. */
  readonly medianLead: number | null;
}

/** The runs on which alarms were judged: trap A, the confirming seeds. */
export const judgedOn = { falls: ${falls}, survivors: ${survivors} } as const;

/**
 * Track record of each alarm at its own threshold, on the confirming half of datasets/measured/echo-trap-alarms.csv.
 * Written by \`npm run generated\`.
 */
export const alarmWorth: Readonly<Partial<Record<string, AlarmWorth>>> = {
${lines.join("\n")}
};
`;
}
