import { fallOf } from "../../monitor/fall";
import type { Metrics } from "../../base/glossary";
import { mean } from "../../base/statistics";

/** One run in numbers. Updates count from 1; null where an event did not happen. */
export interface RunSummary {
  /** Mean success of the last 20 updates. */
  readonly final: number;
  /** Largest mean success of 10 consecutive updates. */
  readonly peak: number;
  /** The run rose above .6 and ended below 75 % of its peak. */
  readonly collapsed: boolean;
  /** First update at which in-group std is below .05. */
  readonly stdCliff: number | null;
  /** First update at which entropy is below 25 % of the first update's. */
  readonly entropyCliff: number | null;
  /** Last update before the fall, or else before the end, whose KL exceeds .5 nats per token after the entropy cliff. */
  readonly burst: number | null;
  /** Updates with a gradient norm below 1e-6 among the 20 before the burst. */
  readonly silence: number | null;
  /** First update at which the mean success of 10 updates is below 75 % of its highest so far, once that was above .6. */
  readonly fall: number | null;
  readonly maxGradNorm: number;
  /** Means of the last 20 updates. */
  readonly turns: number;
  readonly entropy: number;
  readonly topShare: number;
  readonly fracZeroStd: number;
  readonly samples: number;
  readonly optimizerSteps: number;
  /** The update at which training stopped on a loss or gradient that is not finite; null if it did not. */
  readonly stoppedAt: number | null;
}

const nothing = Object.freeze({
  ...{ final: 0, peak: 0, collapsed: false, stdCliff: null, entropyCliff: null, burst: null, silence: null },
  ...{ fall: null, maxGradNorm: 0, turns: 0, entropy: 0, topShare: 0, fracZeroStd: 0 },
});

const LAST = 20;
const WINDOW = 10;

/**
 * Sums up a run: its end, its peak, and when the events of an echo trap happened.
 *
 * A run that `stoppedAt` an update is summed up over the updates before it, with zeros if there were none. Its end is not a
 * final success.
 *
 * @throws {RangeError} if a run that did not stop has fewer than 20 updates
 */
export function summarise(
  metrics: readonly Metrics[],
  spent: Pick<RunSummary, "samples" | "optimizerSteps">,
  stoppedAt: number | null = null,
): RunSummary {
  if (stoppedAt === null && metrics.length < LAST) {
    throw new RangeError(
      `Cannot sum up a run as it must have at least ${LAST} updates: current number is ${metrics.length}`,
    );
  }
  if (metrics.length === 0) return { ...nothing, ...spent, stoppedAt };
  const of = (name: keyof Metrics): number[] => metrics.map((m) => m[name] ?? NaN);
  const success = of("success/mean");
  const gradient = of("policy/gradNorm");
  const entropy = of("policy/entropy");
  const kl = of("policy/approxKl");
  const std = of("reward/std");
  const smooth = success.map((_, i) => (i + 1 < WINDOW ? NaN : mean(success.slice(i + 1 - WINDOW, i + 1))));
  const peak = metrics.length < WINDOW ? mean(success) : Math.max(...smooth.slice(WINDOW - 1));
  const final = mean(success.slice(-LAST));
  const fall = fallOf(success);
  const entropyCliff = first(entropy, (x) => x < 0.25 * entropy[0]!);
  const from = entropyCliff ?? Infinity;
  const until = fall ?? metrics.length;
  const burst = kl.findLastIndex((x, i) => x > 0.5 && i + 1 > from && i + 1 <= until) + 1 || null;
  const end = (name: keyof Metrics): number => mean(of(name).slice(-LAST));
  return {
    final,
    peak,
    collapsed: peak > 0.6 && final < 0.75 * peak,
    stdCliff: first(std, (x) => x < 0.05),
    entropyCliff,
    burst,
    silence:
      burst === null
        ? null
        : gradient.slice(Math.max(0, burst - 21), burst - 1).filter((x) => x < 1e-6).length,
    fall,
    maxGradNorm: Math.max(0, ...gradient.filter(Number.isFinite)),
    turns: end("turns/mean"),
    entropy: end("policy/entropy"),
    topShare: end("response/topShare"),
    fracZeroStd: end("reward/fracZeroStd"),
    ...spent,
    stoppedAt,
  };
}

function first(values: readonly number[], is: (x: number) => boolean): number | null {
  return values.findIndex(is) + 1 || null;
}
