/**
 * Share of runs in which an alarm is up in the 25 updates before a fall, and at the same age in
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
export const judgedOn = { falls: 150, survivors: 87 } as const;

/**
 * Track record of each alarm at its own threshold, on the confirming half of datasets/measured/echo-trap-alarms.csv.
 * Written by `npm run generated`.
 */
export const alarmWorth: Readonly<Partial<Record<string, AlarmWorth>>> = {
  "std cliff": { threshold: 0.1, sensitivity: 1, falseAlarms: 0.995, medianLead: 25 },
  "entropy cliff": { threshold: 0.1, sensitivity: 0.98, falseAlarms: 0.984, medianLead: 25 },
  "unearned silence": { threshold: 0.2, sensitivity: 0.353, falseAlarms: 0.044, medianLead: 16 },
  "gradient spike": { threshold: 100, sensitivity: 0.227, falseAlarms: 0.154, medianLead: 6.5 },
  "KL burst": { threshold: 1, sensitivity: 0.187, falseAlarms: 0.098, medianLead: 5 },
  "ratio extreme": { threshold: 5, sensitivity: 0.813, falseAlarms: 0.552, medianLead: 11.5 },
  "clip fraction": { threshold: 0.3, sensitivity: 0, falseAlarms: 0, medianLead: null },
  echo: { threshold: 0.4, sensitivity: 0.013, falseAlarms: 0, medianLead: 18 },
  "information loss": { threshold: 0.5, sensitivity: 0.007, falseAlarms: 0, medianLead: 23 },
};
