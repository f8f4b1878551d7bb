import type { MetricName } from "turnwise/internal/base/glossary";
import { mean } from "turnwise/internal/base/statistics";
import { dropOf } from "turnwise/internal/monitor/drop";
import { departureOf, stepNoiseOf } from "turnwise/internal/monitor/movements";
import { WINDOW } from "turnwise/internal/monitor/fall";
import type { MonitorRecord } from "turnwise/internal/monitor/signals";
import { lookedSignals, type LookedSignal } from "./signals";

/** A metric that rose or fell, farther than chance takes it. */
export interface SignalEvent {
  readonly metric: MetricName;
  readonly title: string;
  readonly rose: boolean;
  /** It left its level between these steps: the first that is off it, and the one by which half the way was gone. */
  readonly from: number;
  readonly to: number;
  /** The level before, and the mean of ten that is farthest from it. */
  readonly before: number;
  readonly extreme: number;
  readonly last: number;
  /** Share of random orders of the steps that go as far. */
  readonly chance: number;
  /** Whether it came back by three quarters of the way. */
  readonly recovered: boolean;
}

/**
 * Events of every signal on its own, in the order in which they left their levels. A rise is a drop of the negative:
 * the same test decides both, by the mean of ten steps that is farthest from the best before it and by random orders of
 * the steps.
 */
export function eventsOf(
  records: readonly MonitorRecord[],
  signals: readonly LookedSignal[] = lookedSignals,
): readonly SignalEvent[] {
  return signals
    .flatMap(({ metric, title, factor, distance }) => {
      const points = records.flatMap(({ update, metrics }) => {
        const value: unknown = metrics[metric];
        return typeof value === "number" && Number.isFinite(value) ? [{ update, value }] : [];
      });
      if (points.length < 2 * WINDOW) return [];
      const found = [true, false].flatMap((rose) => {
        const sign = rose ? -1 : 1;
        const drop = dropOf(points.map(({ value }) => sign * value));
        if (drop === undefined || !drop.isFall) return [];
        const [before, extreme] = [sign * drop.best, sign * drop.lowest];
        const way = Math.abs(extreme - before);
        const share =
          Math.max(Math.abs(extreme), Math.abs(before)) /
          Math.max(1e-12, Math.min(Math.abs(extreme), Math.abs(before)));
        if (way < distance || share < factor) return [];
        const values = points.map(({ value }) => value);
        const beyond = points.findIndex(
          ({ value }, i) => i >= drop.onset && Math.abs(value - before) >= way / 2,
        );
        const half = beyond < 0 ? drop.at : beyond;
        // The mean of ten is low before its last value is: where single values leave the level tells it better.
        const noise = stepNoiseOf(values.slice(0, Math.max(2, drop.bestAt + 1)));
        const left = departureOf(values, { before, end: half, noise }) ?? drop.onset;
        const event: SignalEvent = {
          metric,
          title,
          rose,
          from: points[left]!.update,
          to: points[half]!.update,
          before,
          extreme,
          last: mean(points.slice(-WINDOW).map(({ value }) => value)),
          chance: drop.chance,
          recovered: drop.recovered !== undefined,
        };
        return [event];
      });
      return found;
    })
    .sort((a, b) => a.from - b.from || a.to - b.to);
}

/** The metric that an event of a part of the reward is counted under. */
const PART: MetricName = "reward/mean";

/** Events of the parts that a reward is the sum of, as `eventsOf` finds them for metrics. */
export function eventsOfParts(
  records: readonly (MonitorRecord & { readonly parts?: Readonly<Record<string, number>> })[],
): readonly SignalEvent[] {
  const names = new Set(records.flatMap(({ parts }) => Object.keys(parts ?? {})));
  return [...names].flatMap((name) =>
    eventsOf(
      records.map(({ update, parts }) => ({
        update,
        metrics: parts?.[name] === undefined ? {} : { [PART]: parts[name] },
      })),
      [{ metric: PART, title: `the part ${name}`, factor: 1.3, distance: 0.05 }],
    ),
  );
}

/** Metrics that hold one value throughout, as far as they are logged: a clip fraction of 0, say. */
export function constantsOf(records: readonly MonitorRecord[]): ReadonlyMap<MetricName, number> {
  const constant = new Map<MetricName, number>();
  for (const metric of [
    "policy/clipFrac",
    "policy/gradNorm",
    "policy/loss",
    "reward/std",
    "tools/calls",
    "success/mean",
    "reward/mean",
  ] as const) {
    const values = records.flatMap(({ metrics }) => (metrics[metric] === undefined ? [] : [metrics[metric]]));
    if (values.length >= 2 * WINDOW && values.every((value) => Math.abs(value - values[0]!) < 1e-9)) {
      constant.set(metric, values[0]!);
    }
  }
  return constant;
}
