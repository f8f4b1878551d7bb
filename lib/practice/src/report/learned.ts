import { mean } from "turnwise/internal/base/statistics";
import type { MonitorRecord } from "turnwise/internal/monitor/signals";
import { FEWEST } from "turnwise/internal/monitor/fallWatch";
import { valuesOf } from "./klSign";

/** So many standard errors of a difference are no chance. */
const ERRORS = 2;
/** Such a share of answers that are cut leaves hardly one that could be right. */
export const NEARLY_ALL_CUT = 0.9;

/** Whether success, or else the reward, is higher in the last third of a run than in its first; undefined for a short run. */
export function hasRisen(records: readonly MonitorRecord[]): boolean | undefined {
  const success = valuesOf(records, "success/mean");
  const values = success.length > 0 ? success : valuesOf(records, "reward/mean");
  if (values.length < FEWEST) return undefined;
  const third = Math.floor(values.length / 3);
  const [first, last] = [values.slice(0, third), values.slice(-third)];
  const error = Math.sqrt((variance(first) + variance(last)) / third);
  return mean(last) - mean(first) > ERRORS * error;
}

function variance(values: readonly number[]): number {
  const average = mean(values);
  return values.reduce((sum, value) => sum + (value - average) * (value - average), 0) / (values.length - 1);
}

/** Whether nearly all answers were cut throughout, and nothing was learned. */
export function isUnfinished(records: readonly MonitorRecord[]): boolean {
  const shares = valuesOf(records, "tokens/fracTruncated");
  return shares.length > 0 && mean(shares) > NEARLY_ALL_CUT && hasRisen(records) === false;
}
