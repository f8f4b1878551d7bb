import {
  pairedInterval,
  pairedMean,
  sameAge,
  thresholdLadders,
  type AlarmName,
} from "turnwise/internal/monitor/index";
import type { Chart } from "turnwise/internal/plot/chart";
import { estimateChart, type Estimate } from "turnwise/internal/plot/estimateChart";
import type { AlarmReport } from "../../shared/alarms/alarmReport";
import { warningWindow } from "../../shared/alarms/definitions";
import { expectedShare, followedShare, medianInterval, sensitivityOf } from "../../shared/alarms/rates";
import { countUpdates } from "../../shared/alarms/updates";

/**
 * The same alarm told in both directions: how many falls had it before them, how many survivors had it at the same age, how often
 * a fall follows when it is up, and how often one follows anyway.
 */
export function lookingBackChart(
  report: AlarmReport,
  alarms: readonly (readonly [rule: AlarmName, threshold: number])[],
): Chart {
  const both = alarms.map(([rule, threshold]) => bothDirections(report, rule, threshold));
  return estimateChart(both.flat(), {
    title: backAndAhead(both),
    subtitle: `${report.falls} falls and ${report.survivors} survivors; bar: 95 % interval`,
    xTitle: `share, ${warningWindow.horizon} updates back or ahead`,
    domain: [0, 1],
  });
}

/** States for each alarm how many falls had it, and how often a fall follows it. */
function backAndAhead(both: readonly (readonly Estimate[])[]): string {
  const shares = (of: string): string =>
    both
      .map((rows) => rows.find(({ label }) => label === of))
      .map((row) => (row === undefined ? "never up" : `${(100 * row.mean).toFixed(0)}%`))
      .join(", ");
  return `Up before ${shares(before)} of falls; a fall follows in ${shares(after)}`;
}

const before = "falls that had it before";
const after = "when it is up, a fall follows";

/** @throws {RangeError} if the threshold is not on the alarm's ladder */
function bothDirections(report: AlarmReport, rule: AlarmName, threshold: number): Estimate[] {
  const ladder: readonly number[] = thresholdLadders[rule];
  const rung = ladder.indexOf(threshold);
  if (rung < 0) {
    throw new RangeError(
      `Cannot look back: the threshold of ${rule} must be one of ${ladder.join(", ")}, got ${threshold}.`,
    );
  }
  const share = (of: (fall: number, survivor: number) => boolean): { mean: number; falls: number } =>
    pairedMean(sameAge(report.strata, rule, warningWindow, (f, s) => Number(of(f, s))));
  const falls = share((fall) => fall > rung);
  const survivors = pairedMean(
    sameAge(report.strata, rule, warningWindow, (_, survivor) => Number(survivor > rung)),
  );
  const counts = countUpdates(report.strata, warningWindow, { name: rule, rung });
  const ahead = followedShare(counts);
  const group = `${rule}, threshold ${threshold}`;
  const anyway = expectedShare(counts);
  return [
    {
      group,
      label: before,
      ...sensitivityOf(Math.round(falls.mean * falls.falls), falls.falls),
    },
    {
      group,
      label: "survivors that had it, same age",
      mean: survivors.mean,
      ...pairedInterval(survivors),
    },
    ...(ahead === undefined || anyway === undefined
      ? []
      : [
          { group, label: after, ...ahead },
          { group, label: "at that age, a fall follows anyway", mean: anyway, low: anyway, high: anyway },
        ]),
  ];
}

/**
 * Chart of the number of updates between each alarm and the onset, for the falls that it warns of; alarms that warn of
 * fewer than `atLeast` are omitted. One that goes off at random has leads as well: they say nothing without the areas.
 */
export function leadChart(report: AlarmReport, { atLeast = 6 }: { readonly atLeast?: number } = {}): Chart {
  const warning = report.lines.filter(({ rule, leads }) => rule !== "the clock" && leads.length >= atLeast);
  const rows = warning.map(({ rule, threshold, leads }) => ({
    label: `${rule} at ${threshold} (${leads.length} of ${report.falls})`,
    runs: leads,
    ...medianInterval(leads),
  }));
  const medians = rows.map(({ mean }) => mean);
  return estimateChart(rows, {
    title: `In the median, alarms lead by ${Math.min(...medians)} to ${Math.max(...medians)} updates`,
    subtitle: `falls warned of; diamond: median, bar: its 95 % interval, dots: runs`,
    xTitle: "updates before the onset",
    domain: [0, warningWindow.horizon],
  });
}
