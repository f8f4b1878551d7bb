import type { MetricName } from "turnwise/internal/base/glossary";
import { FEWEST } from "turnwise/internal/monitor/fallWatch";
import type { MonitorRecord } from "turnwise/internal/monitor/signals";

/** Metrics that are not 0 throughout in a run that learns. */
const MOVES_WHILE_LEARNING = {
  "policy/gradNorm": "the gradient's norm",
  "reward/std": "the spread of rewards",
} as const satisfies Partial<Record<MetricName, string>>;

/** So many of the steps may not be 0, as the first ones of a run that stopped learning at once. */
const MOVING = 0.1;

/** In words, what is 0 but for a few steps, and to the end, so that nothing was learned and nothing could fall. */
export function stillOf(records: readonly MonitorRecord[]): string[] {
  return Object.entries(MOVES_WHILE_LEARNING).flatMap(([metric, words]) => {
    const values = records.flatMap(({ metrics }) => metrics[metric as MetricName] ?? []);
    const moving = values.filter((value) => value !== 0).length;
    const isStill =
      values.length >= FEWEST &&
      moving <= MOVING * values.length &&
      values.slice(-FEWEST).every((value) => value === 0);
    return isStill ? [words] : [];
  });
}
