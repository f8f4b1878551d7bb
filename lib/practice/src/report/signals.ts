import type { MetricName } from "turnwise/internal/base/glossary";

/** A metric that is looked at on its own. */
export interface LookedSignal {
  readonly metric: MetricName;
  readonly title: string;
  /** Size of a change: a factor, or a distance if the value may be near 0. Either will do unless both must. */
  readonly factor: number;
  readonly distance: number;
}

const signal = (metric: MetricName, title: string, distance: number, factor = 1.5): LookedSignal => ({
  metric,
  title,
  factor,
  distance,
});

/**
 * The metrics whose courses tell how a run died. A change counts if it goes both by the factor and the distance; of those that are shares,
 * the distance is of a share.
 */
export const lookedSignals: readonly LookedSignal[] = [
  signal("policy/entropy", "entropy", 0.05),
  signal("policy/gradNorm", "gradient norm", 0.05, 2),
  signal("policy/approxKl", "KL of an update", 0.003, 2),
  signal("policy/klReference", "KL to the reference", 0.05, 2),
  signal("policy/clipFrac", "clipped tokens", 0.01, 2),
  signal("policy/clipFracLow", "tokens clipped below", 0.01, 2),
  signal("policy/clipFracHigh", "tokens clipped above", 0.01, 2),
  signal("policy/clipFracDual", "tokens met by the dual clip", 0.005, 2),
  signal("policy/ratioMax", "largest ratio", 1, 2),
  signal("mismatch/approxKl", "KL of engine and trainer", 0.002, 2),
  signal("mismatch/kl", "k1 of engine and trainer", 0.002, 2),
  signal("mismatch/logProbGap", "log-prob gap of engine and trainer", 0.02),
  signal("mismatch/probGap", "probability gap of engine and trainer", 0.01),
  signal("mismatch/chiSquaredTrajectory", "chi-squared of engine and trainer", 0.5, 2),
  signal("staleness/mean", "staleness", 0.5),
  signal("tokens/mean", "length of answers", 10),
  signal("tokens/fracTruncated", "answers cut at the limit", 0.1),
  signal("turns/mean", "turns", 0.4, 1.3),
  signal("tools/calls", "tool calls", 0.2),
  signal("tools/failed", "failed tool calls", 0.1),
  signal("reward/std", "spread of rewards in groups", 0.02),
  signal("reward/fracZeroStd", "groups with equal rewards", 0.15, 1.3),
  signal("critic/loss", "loss of the critic", 0.5, 3),
  signal("critic/explainedVariance", "variance that the critic explains", 0.2),
  signal("response/distinct", "distinct answers", 0.1),
];
