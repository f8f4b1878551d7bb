import type { MetricName } from "./glossary";

/** Names for axes, where those of the glossary are made for logs. */
const labels: Readonly<Partial<Record<MetricName, string>>> = {
  "return/exact": "exact return",
  "reward/mean": "mean return",
  "reward/std": "std of returns within groups",
  "success/mean": "success",
  "eval/return": "return in evaluations",
  "eval/success": "success in evaluations",
  "policy/entropy": "entropy, nats per token",
  "policy/gradNorm": "norm of the gradient",
  "policy/clipFrac": "share of clipped tokens",
  "policy/klReference": "KL to the reference",
  "policy/klOld": "KL to the old policy",
  "critic/loss": "loss of the critic",
};

/** A metric as people call it, for the axis of a chart; one without such a name keeps its own. */
export const metricLabel = (metric: string): string =>
  (labels as Readonly<Record<string, string | undefined>>)[metric] ?? metric;
