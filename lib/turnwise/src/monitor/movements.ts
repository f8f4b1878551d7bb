import { square } from "../base/elementary/square";
import type { MetricName } from "../base/glossary";
import { median } from "../base/statistics";
import type { MonitorRecord } from "./signals";

/** A metric that left the level it had had. */
export interface Movement {
  readonly metric: MetricName;
  /** In a few words. */
  readonly title: string;
  /** The step from which on it was off its level. */
  readonly step: number;
  readonly before: number;
  /** The value that is farthest from the level. */
  readonly extreme: number;
}

/** The metrics whose order tells how a run died, with a title each. */
const looked: readonly (readonly [MetricName, string])[] = [
  ["policy/entropy", "entropy"],
  ["policy/gradNorm", "gradient norm"],
  ["policy/approxKl", "KL of an update"],
  ["policy/klReference", "KL to the reference"],
  ["policy/clipFrac", "clipped tokens"],
  ["mismatch/approxKl", "KL between engine and trainer"],
  ["mismatch/logProbGap", "gap of log-probs between engine and trainer"],
  ["mismatch/probGap", "gap of probabilities between engine and trainer"],
  ["tokens/mean", "length of responses"],
  ["tokens/fracTruncated", "share of cut-off responses"],
  ["turns/mean", "turns"],
  ["tools/calls", "tool calls"],
  ["tools/failed", "failed tool calls"],
  ["reward/std", "std within groups"],
  ["reward/fracZeroStd", "silent groups"],
];

/** A metric that only halves or doubles has moved; a smaller change is learning. */
const FACTOR = 2;

/**
 * The metrics that left their level, in the order in which they did.
 *
 * The level is the median of the calm part. A metric has moved if it ends up at twice its level or half of it and farther away than
 * 6 times the noise from step to step; it did so at the step after the last one within 1% of that way, or 4 times the noise.
 *
 * @param calm how many records, from the first, are of the calm part: those before success fell, for instance
 */
export function movementsOf(records: readonly MonitorRecord[], calm: number): readonly Movement[] {
  return looked
    .flatMap(([metric, title]) => {
      const points = records.flatMap(({ update, metrics }, i) => {
        const value: unknown = metrics[metric];
        return typeof value === "number" && Number.isFinite(value) ? [{ update, value, i }] : [];
      });
      const early = points.filter(({ i }) => i < calm / 2).map(({ value }) => value);
      if (early.length < 5) return [];
      const before = median(early);
      const noise = stepNoiseOf(early);
      const far = ({ value }: { readonly value: number }): number => Math.abs(value - before);
      const end = points.reduce((best, point, at) => (far(point) > far(points[best]!) ? at : best), 0);
      const extreme = points[end]!.value;
      const way = Math.abs(extreme - before);
      const share = Math.abs(extreme) / Math.abs(before);
      if (way <= 6 * noise || (share < FACTOR && share > 1 / FACTOR)) return [];
      const left = departureOf(
        points.map(({ value }) => value),
        { before, end, noise },
      );
      if (left === undefined) return [];
      return [{ metric, title, step: points[left]!.update, before, extreme }];
    })
    .sort((a, b) => a.step - b.step);
}

/**
 * The first value of a way that ends at `end`: the one after the last within 1% of the way from the level `before`, or within 4 times
 * the noise. Undefined if no value is that near.
 */
export function departureOf(
  values: readonly number[],
  { before, end, noise }: { readonly before: number; readonly end: number; readonly noise: number },
): number | undefined {
  const off = Math.max(0.01 * Math.abs(values[end]! - before), 4 * noise);
  const last = values.findLastIndex((value, at) => at < end && Math.abs(value - before) <= off);
  return last < 0 ? undefined : last + 1;
}

/** The standard deviation of single values, from the differences between neighbors, which a trend changes little. */
export function stepNoiseOf(values: readonly number[]): number {
  const squares = values.slice(1).reduce((sum, x, i) => sum + square(x - values[i]!), 0);
  return Math.sqrt(squares / (values.length - 1) / 2);
}
