import { recipeNames, type RecipeName } from "../rule";
import type { SweepTask } from "../sweep/plan";
import { ReportCard } from "./card";
import type { CardRecord } from "./figures";
import { measure, type Measured } from "./measure";
import { namedRows, recordsOf } from "./reportCard";
import { planOf, type ReportCardOptions, type Setting } from "./settings";
import { figureNames, type Figure } from "./tally";

/** Options of the stored card: every recipe, and each axis further than in the quick card. */
export const storedCardOptions = Object.freeze({
  groupSizes: [8, 2, 4, 16],
  groups: [1, 4],
  staleness: [0, 1, 2, 4, 8],
  mismatch: [0, 0.1, 0.3],
  horizons: [4, 2, 8],
  seeds: 5,
  batches: 400,
  enumerate: 1000,
}) satisfies ReportCardOptions;

/** One setting and policy of the stored card as the task of a sweep. */
export const reportCardTask: SweepTask = Object.freeze({
  module: "turnwise-course/jobs",
  export: "reportCardJob",
});

/** The settings of the stored card, in the order of its records. */
export const storedSettings = (): readonly Setting[] => planOf(storedCardOptions).settings;

/**
 * One setting of the stored card with the policy of a seed, as a job of `sweep`: every recipe, or those of a list.
 *
 * A rule's figures do not depend on which others are measured: batches are drawn from the seed alone.
 *
 * @throws {RangeError} if there is no setting of this number, or a recipe is unknown
 * @public
 */
export function reportCardJob({
  setting,
  seed,
  rows = recipeNames,
}: {
  setting: number;
  seed: number;
  rows?: readonly RecipeName[];
}): Measured {
  const plan = planOf(storedCardOptions);
  const { length } = plan.settings;
  if (!Number.isInteger(setting) || setting < 0 || setting >= length) {
    throw new RangeError(
      `Cannot compute a setting of the report card: its number must be from 0 to ${length - 1}, got ${setting}.`,
    );
  }
  const steps = measure(Object.values(namedRows(rows)), plan.settings[setting]!, seed, plan);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** The records of a setting from its jobs' values, one for each policy. */
export function storedRecords(
  setting: number,
  values: readonly Measured[],
  rows: readonly RecipeName[] = recipeNames,
): CardRecord[] {
  return recordsOf(rows, storedSettings()[setting]!, values);
}

const five = (x: number | null): number | null =>
  x !== null && Number.isFinite(x) ? Number(x.toPrecision(5)) : null;

/** A record as a line of datasets/measured/report-card.jsonl: a figure is [value, standard error], five digits each. */
export function recordLine(record: CardRecord): string {
  const figures = figureNames.map((name) => [name, [five(record[name].value), five(record[name].error)]]);
  return JSON.stringify({ ...record, ...Object.fromEntries(figures) });
}

/** The card that the text of datasets/measured/report-card.jsonl holds; a bias without a number is infinite. */
export function storedCard(text: string): ReportCard {
  const records = text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const fields = JSON.parse(line) as Record<string, unknown>;
      const figure = (name: string): Figure => {
        const [value, error] = fields[name] as [number | null, number | null];
        return { value: value ?? (name === "bias" ? Infinity : NaN), error };
      };
      return {
        ...fields,
        ...Object.fromEntries(figureNames.map((name) => [name, figure(name)])),
      } as unknown as CardRecord;
    });
  return new ReportCard(records);
}
