import type { MetricName, Metrics } from "../base/glossary";
import { train, type TrainOptions } from "../train";
import type { JobContext } from "./job";

/** The value of a training job. */
export interface TrainJobResult {
  /** Each metric, averaged over the last records. */
  readonly metrics: Metrics;
  readonly samples: number;
  readonly optimizerSteps: number;
  /** The requested metrics, at every update that has them. */
  readonly records?: readonly { readonly update: number; readonly metrics: Metrics }[];
}

export type TrainJobOptions = TrainOptions & {
  readonly last?: number;
  readonly curves?: readonly MetricName[];
};

/**
 * Trains once; the job of a sweep without a `task`.
 *
 * @public
 */
export async function trainJob(
  { last = 20, curves, ...options }: TrainJobOptions,
  { report }: JobContext,
): Promise<TrainJobResult> {
  const sums: Partial<Record<MetricName, { total: number; count: number }>> = {};
  const records: { update: number; metrics: Metrics }[] = [];
  let samples = 0;
  let optimizerSteps = 0;
  for await (const record of train(options)) {
    ({ samples, optimizerSteps } = record);
    report(record.update / options.updates);
    if (curves) {
      const kept = curves.filter((name) => record.metrics[name] !== undefined);
      records.push({
        update: record.update,
        metrics: Object.fromEntries(kept.map((name) => [name, record.metrics[name]!])),
      });
    }
    if (record.update <= options.updates - last) continue;
    for (const [name, value] of Object.entries(record.metrics)) {
      const sum = (sums[name as MetricName] ??= { total: 0, count: 0 });
      sum.total += value;
      sum.count++;
    }
  }
  const metrics = Object.fromEntries(
    Object.entries(sums).map(([name, { total, count }]) => [name, total / count]),
  );
  return { metrics, samples, optimizerSteps, ...(curves ? { records } : {}) };
}
