import { short } from "turnwise/internal/base/curve";
import type { MetricName } from "turnwise/internal/base/glossary";
import { mean } from "turnwise/internal/base/statistics";
import type { MonitorRecord } from "turnwise/internal/monitor/signals";

/** Means that are nearer to 0 than these are of two forward passes, whatever their sign. */
const NEAR_ZERO: Readonly<Partial<Record<MetricName, number>>> = {
  "policy/klReference": 0.005,
  "policy/approxKl": 0.003,
  "mismatch/kl": 0.003,
};
export const klTitles: Readonly<Partial<Record<MetricName, string>>> = {
  "policy/klReference": "the KL to the reference",
  "policy/approxKl": "the KL of an update",
  "mismatch/kl": "k1 of engine and trainer",
};
/** So many standard errors below 0 are no chance, and so large a share of steps. */
const ERRORS = 4;
const MOST_STEPS = 0.8;
const FEWEST = 10;
/** A KL that is below 0 for longer than chance takes it there. */
export interface Below {
  readonly metric: MetricName;
  readonly mean: number;
  readonly share: number;
  readonly start: number;
}

/** Values of a metric; none where it is not logged. */
export const valuesOf = (records: readonly MonitorRecord[], metric: MetricName): number[] =>
  records.flatMap(({ metrics }) => {
    const value = metrics[metric];
    return value !== undefined && Number.isFinite(value) ? [value] : [];
  });

export function belowZero(records: readonly MonitorRecord[], metric: MetricName): Below | undefined {
  const values = valuesOf(records, metric);
  if (values.length < FEWEST) return undefined;
  const average = mean(values);
  const variance =
    values.reduce((sum, value) => sum + (value - average) * (value - average), 0) / (values.length - 1);
  const error = Math.sqrt(variance / values.length);
  const share = values.filter((value) => value < 0).length / values.length;
  return average < -Math.max(NEAR_ZERO[metric]!, ERRORS * error) && share >= MOST_STEPS
    ? { metric, mean: average, share, start: mean(values.slice(0, 3)) }
    : undefined;
}

/** Says of a KL that is below 0 now and then that this is normal; undefined where none is, or it is not. */
export function usualSign(records: readonly MonitorRecord[]): string | undefined {
  const values = valuesOf(records, "policy/klReference");
  const below = values.filter((value) => value < 0).length;
  if (below === 0 || values.length < FEWEST || belowZero(records, "policy/klReference")) return undefined;
  const average = mean(values);
  // Chance and two forward passes take it no farther.
  if (average < -NEAR_ZERO["policy/klReference"]!) return undefined;
  return (
    `The KL to the reference is below 0 in ${Math.round((100 * below) / values.length)}% of steps, and ${short(average)} as a mean: ` +
    "an estimate by log-ratios scatters around a KL that is near 0, which is normal."
  );
}
