import { mean } from "turnwise/internal/base/statistics";
import type { MonitorRecord } from "turnwise/internal/monitor/signals";

/** The disagreement of engine and trainer in a run. */
export interface MeasuredMismatch {
  /** Mean gap between their log-probs, in nats. */
  readonly logProbGap: number;
  /** The metric it was computed from, and how. */
  readonly from: string;
}

/** Of |t| and of t squared, for Student's t with 3 degrees of freedom: 2 sqrt(3) / pi and 3. */
const MEAN_SIZE = (2 * Math.sqrt(3)) / Math.PI;
const MEAN_SQUARE = 3;

/** A mean gap from a KL: half of the mean square of the log-ratio, to second order. */
const ofKl = (kl: number): number => Math.sqrt((2 * Math.max(0, kl)) / MEAN_SQUARE) * MEAN_SIZE;

const sources = [
  { metric: "mismatch/logProbGap", how: "as logged", read: (value: number) => Math.abs(value) },
  { metric: "mismatch/approxKl", how: "from the KL, to second order", read: ofKl },
  { metric: "mismatch/kl", how: "from the KL, to second order", read: ofKl },
  {
    metric: "mismatch/probGap",
    how: "at least the gap of probabilities",
    read: (value: number) => Math.abs(value),
  },
] as const;

const WINDOW = 10;

/**
 * The mismatch of engine and trainer that a log holds: the mean of the last ten steps that have it, before success fell if it did.
 *
 * @returns undefined if the log has no metric of it
 */
export function measuredMismatch(
  records: readonly MonitorRecord[],
  fellAt = Infinity,
): MeasuredMismatch | undefined {
  const before = records.filter(({ update }) => update < fellAt);
  for (const { metric, how, read } of sources) {
    const values = before
      .flatMap(({ metrics }) => {
        const value: unknown = metrics[metric];
        return typeof value === "number" && Number.isFinite(value) ? [value] : [];
      })
      .slice(-WINDOW);
    if (values.length > 0) return { logProbGap: read(mean(values)), from: `${metric}, ${how}` };
  }
  return undefined;
}

/** The noise of the trainer's `logProbNoise` at which tokens of this uncertainty have the gap on average. */
export const noiseOf = (logProbGap: number, uncertainty: number): number =>
  logProbGap / (MEAN_SIZE * uncertainty);
