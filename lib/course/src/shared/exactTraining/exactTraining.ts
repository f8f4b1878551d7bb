import { exactRun } from "turnwise/internal/exact/exactIteration";
import { exactRule, gradientStep, type ExactRule } from "turnwise/internal/exact/exactRule";
import { uniformPolicy, type TablePolicy } from "turnwise/internal/exact/tablePolicy";
import { didYouMean } from "turnwise/internal/base/suggest";
import type { Tree } from "turnwise/internal/tree/tree";

/** Settings of each rule in the exact laboratory: the divisor of its advantage, and the order in which turns are updated. */
const rules = {
  grpo: { scale: "group" },
  drGrpo: { scale: "none" },
  seeUpo: { order: "reverse" },
} as const satisfies Readonly<Record<string, Partial<ExactRule>>>;

/** The rule, how long it trains, and single fields of the rule that are changed. */
export interface ExactTrainingOptions extends Partial<Omit<ExactRule, "step">> {
  /** Default: the group's mean, divided by nothing, all turns at once. */
  readonly rule?: keyof typeof rules;
  readonly updates: number;
  /** The size of a gradient step (2), or "greedy": all mass on the best action. */
  readonly step?: number | "greedy";
  /** Default: all actions equally likely. */
  readonly start?: TablePolicy;
}

/** A training in which expectations take the place of samples. */
export interface ExactTraining {
  /** The rule it was trained with. */
  readonly name: string;
  readonly game: Tree;
  /** The policy at the start and after every update. */
  readonly policies: readonly TablePolicy[];
  /** The return of each of them. */
  readonly J: readonly number[];
}

/**
 * Trains on a game without drawing a sample: every update is the expected one, over all trajectories and all groups.
 *
 * @throws {RangeError} if there is no such rule, or a field of it is out of range
 * @example
 * import { games } from "turnwise/exact";
 * import { exactTraining } from "turnwise-course";
 * const game = games.slotMachine();
 * exactTraining(game, { rule: "grpo", groupSize: 8, updates: 200 }).J.at(-1)! < 0.16; // => true
 */
export function exactTraining(
  game: Tree,
  { rule, updates, step = 2, start = uniformPolicy(game), ...fields }: ExactTrainingOptions,
): ExactTraining {
  const names = Object.keys(rules);
  if (rule !== undefined && !names.includes(rule)) {
    throw new RangeError(
      `Cannot train exactly: rule must be ${names.join(", ")}, got "${String(rule)}".${didYouMean(String(rule), names)}`,
    );
  }
  const { policies, J } = exactRun(
    game,
    start,
    exactRule({
      ...(rule === undefined ? {} : rules[rule]),
      step: step === "greedy" ? { kind: "greedy" } : gradientStep(step),
      ...fields,
    }),
    { iterations: updates },
  );
  return { name: rule ?? "training", game, policies, J };
}
