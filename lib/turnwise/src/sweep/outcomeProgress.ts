import type { Json } from "./json";
import { metricOf } from "./metric";
import { intervalOf, type CellProgress, type SweepProgress } from "./progress";

/** A job's result, as far as the table of a finished sweep looks at it. */
export interface OutcomeRow {
  /** Names the job, such as `recipe=grpo seed=3`. */
  readonly key: string;
  readonly seed: number;
  readonly value: unknown;
}

/** Result of a finished sweep, or of `merge`. */
export interface OutcomeLike {
  readonly results: readonly OutcomeRow[];
  readonly stopped?: boolean;
  readonly pruned?: readonly string[];
  readonly metric?: string;
}

/** By the first of these that all results have, a sweep is told that was given none. */
const usual = ["return/exact", "success/mean", "reward/mean"];

/**
 * Progress of a finished sweep, setting by setting, as its live table would show it.
 *
 * @throws {RangeError} if results lack the metric
 */
export function outcomeProgress(
  { results, stopped = false, pruned = [], metric: own }: OutcomeLike,
  metric = own,
): SweepProgress {
  const has = (name: string): boolean =>
    results.every(({ value }) => metricOf(value as Json, name) !== undefined);
  if (metric !== undefined && !has(metric)) {
    throw new RangeError(
      `Cannot show a table of a sweep: every result must have the metric "${metric}", got ${told(results)}.`,
    );
  }
  const shown = metric ?? usual.find(has);
  const rows = new Map<string, OutcomeRow[]>();
  for (const row of results) {
    const label = labelOf(row);
    rows.set(label, [...(rows.get(label) ?? []), row]);
  }
  const cells = [...rows].map(([label, own]): CellProgress => {
    const interval = intervalOf(own.map(({ value }) => metricOf(value as Json, shown)));
    const state = pruned.includes(label) ? "pruned" : "done";
    return {
      label,
      done: own.length,
      planned: own.length,
      failed: 0,
      state,
      ...(interval && { metric: interval }),
    };
  });
  return {
    done: results.length,
    planned: results.length,
    failed: 0,
    workers: 0,
    rate: 0,
    state: stopped ? "stopped" : "finished",
    ...(shown !== undefined && { metric: shown }),
    cells,
  };
}

/** A job is named by its setting and its seed. */
const labelOf = ({ key, seed }: OutcomeRow): string => key.slice(0, -` seed=${seed}`.length) || "all";

function told(results: readonly OutcomeRow[]): string {
  const metrics = (results[0]?.value as { metrics?: object } | null | undefined)?.metrics;
  return metrics === undefined ? "none has metrics" : `the first has ${Object.keys(metrics).join(", ")}`;
}
