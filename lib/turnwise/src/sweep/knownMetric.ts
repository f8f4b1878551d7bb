import { currentMetric } from "../base/deprecatedMetrics";
import { glossary } from "../base/glossary";
import { didYouMean } from "../base/suggest";

/** Numbers of a training job's value that are no metrics. */
const counts = ["samples", "optimizerSteps"];
const known = [...Object.keys(glossary), ...counts];

/**
 * Refuses a metric that no training job gives before the first of them runs.
 *
 * @throws {RangeError} if there is no such metric, or no setting measures it
 */
export function expectKnownMetric(
  metric: unknown,
  { exactEvery, evalEvery }: Readonly<Record<string, unknown>>,
): void {
  if (metric === undefined) return;
  const name = expectMetric(metric);
  const option = name === "return/exact" ? { exactEvery } : name.startsWith("eval/") ? { evalEvery } : {};
  for (const [needed, value] of Object.entries(option)) {
    if ([value].flat().some(Boolean)) continue;
    throw new RangeError(`Cannot sweep: the metric "${name}" needs ${needed}, which is off.`);
  }
}

/** @throws {RangeError} if there is no such metric, with the nearest one */
export function expectMetric(metric: unknown): string {
  const name = currentMetric(String(metric));
  if (known.includes(name)) return name;
  throw new RangeError(`Cannot sweep: no training run has the metric "${name}".${didYouMean(name, known)}`);
}
