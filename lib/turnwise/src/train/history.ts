import type { MetricName } from "../base/glossary";
import type { TrainRecord } from "./records";

/** Metrics that a run's card draws; the first one that a run has is its curve. */
export const curveMetrics = [
  "return/exact",
  "eval/return",
  "reward/mean",
] as const satisfies readonly MetricName[];
type CurveMetric = (typeof curveMetrics)[number];

const MOST = 1024;

/** Records that a run keeps for its card: a curve with a bounded number of points, and the last record. */
export class RunHistory {
  last: TrainRecord | undefined;
  readonly #points = new Map<CurveMetric, [update: number, value: number][]>();

  add(record: TrainRecord): void {
    this.last = record;
    for (const name of curveMetrics) {
      const value = record.metrics[name];
      if (value === undefined) continue;
      const points = this.#points.get(name) ?? [];
      points.push([record.update, value]);
      // Every second point goes, so that a long run costs no more than a short one.
      this.#points.set(name, points.length < MOST ? points : points.filter((_, i) => i % 2 === 1));
    }
  }

  /** The curve to draw; undefined before the first update. */
  get curve(): { readonly metric: CurveMetric; readonly points: readonly [number, number][] } | undefined {
    const metric = curveMetrics.find((name) => this.#points.has(name));
    return metric && { metric, points: this.#points.get(metric)! };
  }
}
