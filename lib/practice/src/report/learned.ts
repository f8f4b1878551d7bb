import { mean } from "turnwise/internal/base/statistics";
import type { MonitorRecord } from "turnwise/internal/monitor/signals";
import { FEWEST } from "turnwise/internal/monitor/fallWatch";
import { valuesOf } from "./klSign";

/** So many standard errors of a difference are no chance. */
const ERRORS = 2;
/** Such a share of answers that are cut leaves hardly one that could be right. */
export const NEARLY_ALL_CUT = 0.9;

/** Success, or the reward where no success is logged. */
const levelIn = (records: readonly MonitorRecord[]): "success/mean" | "reward/mean" =>
  valuesOf(records, "success/mean").length > 0 ? "success/mean" : "reward/mean";

/** Whether success, or else the reward, is higher in the last third of a run than in its first; undefined for a short run. */
export function hasRisen(records: readonly MonitorRecord[]): boolean | undefined {
  const values = valuesOf(records, levelIn(records));
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

/** Fewer steps do not show that nothing is learned. */
const LEARNS_WITHIN = 30;
/** A run that begins later was resumed: where it began is not known. */
const LATEST_START = 10;
/** A share of success above which little is left to learn. */
const SOLVED = 0.8;
/** Means of ten are compared with the first at so many of their standard errors: the best of many is some by chance. */
const BEST_ERRORS = 5;
const WINDOW = 10;

/** Whether success, or else the reward, never left its level from the beginning of a run to its end, although it could have risen. */
export function hasStayedFlat(records: readonly MonitorRecord[]): boolean {
  const values = valuesOf(records, levelIn(records));
  if (values.length < LEARNS_WITHIN || (records[0]?.update ?? 0) > LATEST_START) return false;
  if (hasRisen(records) !== false) return false;
  const isShare = values.every((value) => value >= 0 && value <= 1);
  if (isShare && mean(values.slice(-WINDOW)) >= SOLVED) return false;
  // What rose at once, and stayed, has risen.
  const start = mean(values.slice(0, WINDOW / 2));
  const means = values.slice(0, 1 - WINDOW).map((_, i) => mean(values.slice(i, i + WINDOW)));
  const steps = values.slice(1).map((value, i) => value - values[i]!);
  const error = Math.sqrt((steps.reduce((sum, one) => sum + one * one, 0) / steps.length / 2) * (3 / WINDOW));
  return Math.max(...means) - start <= BEST_ERRORS * error;
}

/** Loss of success in the first steps of a run, before means of ten can show it. */
export interface EarlyLoss {
  /** The first step that is low. */
  readonly at: number;
  readonly before: number;
  readonly after: number;
}

/** The most steps before such a loss, and the fewest after it. */
const EARLY = 3;
const AFTER = 15;
/** Standard deviations of the values after it that the loss is above. */
const CLEARLY = 8;

/** A level of success that only the first one to three steps of a run have, and that is lost for good. */
export function earlyLossOf(records: readonly MonitorRecord[]): EarlyLoss | undefined {
  const name = levelIn(records);
  const points = records.flatMap(({ update, metrics }) => {
    const value = metrics[name];
    return value !== undefined && Number.isFinite(value) ? [{ update, value }] : [];
  });
  for (let first = 1; first <= EARLY && points.length >= first + AFTER; first++) {
    const [before, after] = [points.slice(0, first), points.slice(first)].map((some) =>
      some.map(({ value }) => value),
    );
    const [least, most] = [Math.min(...before!), Math.max(...after!)];
    const isClear =
      least - mean(after!) > CLEARLY * Math.sqrt(variance(after!)) &&
      least - most > (least - mean(after!)) / 2;
    if (least > 0 && most < least / 2 && isClear)
      return { at: points[first]!.update, before: mean(before!), after: mean(after!) };
  }
  return undefined;
}

/** Whether nearly all answers were cut throughout, and nothing was learned. */
export function isUnfinished(records: readonly MonitorRecord[]): boolean {
  const shares = valuesOf(records, "tokens/fracTruncated");
  return shares.length > 0 && mean(shares) > NEARLY_ALL_CUT && hasRisen(records) === false;
}
