import type { WatchedRun } from "./watchRun";

/** Time before the onset of a fall in which an alarm counts as a warning. */
export interface WarningWindow {
  /** An alarm warns of a fall if it is up at some update from so many before the onset ... */
  readonly horizon: number;
  /** ... to so many before it, at least 1. */
  readonly lead: number;
  /** Updates at the start of a run at which no alarm is up. */
  readonly warmUp: number;
}

/** Runs of one setting: those that fell, and those that rose and never did. */
export interface Stratum {
  readonly setting: string;
  readonly falls: readonly WatchedRun[];
  readonly survivors: readonly WatchedRun[];
}

/**
 * Runs by setting and outcome.
 *
 * Left out are runs that never rose, which cannot fall, falls before an alarm could warn, and settings that lack an outcome.
 */
export function strataOf(
  runs: readonly (WatchedRun & { readonly setting: string })[],
  { lead, warmUp }: Pick<WarningWindow, "lead" | "warmUp">,
): readonly Stratum[] {
  return [...new Set(runs.map(({ setting }) => setting))]
    .map((setting) => {
      const own = runs.filter((run) => run.setting === setting && run.rose);
      return {
        setting,
        falls: own.filter(({ onset }) => onset !== null && onset > warmUp + lead),
        survivors: own.filter(({ onset }) => onset === null),
      };
    })
    .filter(({ falls, survivors }) => falls.length > 0 && survivors.length > 0);
}

/** The highest level of a rule in the window before an onset. */
export function highestBefore(
  { levels }: Pick<WatchedRun, "levels">,
  rule: string,
  onset: number,
  { horizon, lead, warmUp }: WarningWindow,
): number {
  const level_u = levels[rule] ?? [];
  return Math.max(0, ...level_u.slice(Math.max(warmUp, onset - 1 - horizon), Math.max(warmUp, onset - lead)));
}

/**
 * A comparison of every fall with every survivor of the same setting in the same window of updates, as a table for each
 * setting: row i is a fall, column j a survivor.
 *
 * The window is the one before the fall, so both runs have the same age, and a rule that knows only how old a run is, or
 * which setting it has, finds no difference.
 */
export function sameAge(
  strata: readonly Stratum[],
  rule: string,
  window: WarningWindow,
  compare: (fall: number, survivor: number) => number,
): readonly (readonly (readonly number[])[])[] {
  return strata.map(({ falls, survivors }) =>
    falls.map((fall) => {
      const own = highestBefore(fall, rule, fall.onset!, window);
      return survivors.map((run) => compare(own, highestBefore(run, rule, fall.onset!, window)));
    }),
  );
}

/** 1 if the fall's level is higher than the survivor's, a half if they are equal: its mean is the area under the ROC curve. */
export const outranks = (fall: number, survivor: number): number =>
  fall > survivor ? 1 : fall === survivor ? 0.5 : 0;

/** Whether the rule is up before the fall, minus whether it is in the survivor: its mean is sensitivity minus false alarms. */
export const warnsAt =
  (rung: number) =>
  (fall: number, survivor: number): number =>
    Number(fall > rung) - Number(survivor > rung);
