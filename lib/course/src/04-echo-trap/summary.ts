import type { Metrics } from "turnwise/internal/base/glossary";
import { mean } from "turnwise/internal/base/statistics";
import type { RunSummary } from "../shared/echoTrap/runSummary";
import { aroundTheFall } from "./aroundTheFall";

const nothing = Object.freeze({
  ...{ final: 0, peak: 0, collapsed: false, stdCliff: null, entropyCliff: null, fall: null, onset: null },
  ...{ burst: null, spike: null, silence: null, windows: 0, burstWindows: 0, spikeWindows: 0 },
  ...{ maxGradNorm: 0, turns: 0, entropy: 0, topShare: 0, fracZeroStd: 0 },
});

const LAST = 20;
const WINDOW = 10;

/** A run that stopped on a loss or a gradient that is not finite. */
export interface Stopped {
  /** The update at which it did. */
  readonly at: number;
  /** Success of its last good policy. */
  readonly success: number;
}

/**
 * Sums up a run: its end, its peak, and when the events of an echo trap happened.
 *
 * A run that stopped is summed up over the updates before, with zeros if there were none; its final success is that of the
 * policy with which it stopped.
 *
 * @throws {RangeError} if a run that did not stop has fewer than 20 updates
 */
export function summarize(
  metrics: readonly Metrics[],
  spent: Pick<RunSummary, "samples" | "optimizerSteps">,
  stopped: Stopped | null = null,
): RunSummary {
  if (stopped === null && metrics.length < LAST) {
    throw new RangeError(
      `Cannot sum up a run: it must have at least ${LAST} updates, got ${metrics.length}.`,
    );
  }
  const stoppedAt = stopped?.at ?? null;
  if (metrics.length === 0) {
    return { ...nothing, final: stopped!.success, peak: stopped!.success, ...spent, stoppedAt };
  }
  const of = (name: keyof Metrics): number[] => metrics.map((m) => m[name] ?? NaN);
  const success = of("success/mean");
  const gradient = of("policy/gradNorm").map((x) => (Number.isFinite(x) ? x : 0));
  const entropy = of("policy/entropy");
  const smooth = success.map((_, i) => (i + 1 < WINDOW ? NaN : mean(success.slice(i + 1 - WINDOW, i + 1))));
  const peak = metrics.length < WINDOW ? mean(success) : Math.max(...smooth.slice(WINDOW - 1));
  const final = stopped?.success ?? mean(success.slice(-LAST));
  const entropyCliff = first(entropy, (x) => x < 0.25 * entropy[0]!);
  const end = (name: keyof Metrics): number => mean(of(name).slice(-LAST));
  return {
    final,
    peak,
    collapsed: peak > 0.6 && final < 0.75 * peak,
    stdCliff: first(of("reward/std"), (x) => x < 0.05),
    entropyCliff,
    ...aroundTheFall({ success, gradient, kl: of("policy/approxKl"), entropyCliff }),
    maxGradNorm: Math.max(0, ...gradient),
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
