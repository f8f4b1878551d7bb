import type { MetricName } from "./glossary";

/** Names that metrics had before, as files of earlier versions have them, and their present ones. */
export const formerMetrics = {
  "step/mean": "stepReward/mean",
  "step/fracJudged": "stepReward/fracJudged",
  "step/evaluations": "stepReward/evaluations",
  "step/preferenceAccuracy": "stepReward/preferenceAccuracy",
  "step/preferenceLoss": "stepReward/preferenceLoss",
  "policy/fracLeftOut": "policy/fracDropped",
  "policy/fracCharged": "policy/fracPenalized",
  "policy/clipBiasNorm": "policy/clippedGradNorm",
  "response/information": "response/mutualInformation",
  "response/retrieval": "response/retrievalAboveChance",
} as const satisfies Readonly<Record<string, MetricName>>;

/** The present name of a metric; any other text is given back. */
export const currentMetric = (name: string): string =>
  Object.hasOwn(formerMetrics, name) ? formerMetrics[name as keyof typeof formerMetrics] : name;

/** The same numbers under present names; those without former names are given back as they are. */
export function withCurrentMetrics<X extends Readonly<Record<string, unknown>>>(metrics: X): X {
  const names = Object.keys(metrics);
  if (!names.some((name) => Object.hasOwn(formerMetrics, name))) return metrics;
  return Object.fromEntries(names.map((name) => [currentMetric(name), metrics[name]])) as X;
}
