import type { SweepTask } from "turnwise/internal/sweep/plan";
import { ruleArm, ruleRates, ruleSeeds, ruleWorlds, type RuleArmName, type RuleWorldName } from "./design";
import { armsIn, ruleQuestions } from "./questions";
import type { RuleJob, RuleRun } from "./run";
import { bestRate, meansByRate, preregistered, type StudyPlan } from "./study";

type RulePlan = StudyPlan<RuleJob["cell"]>;

const task: SweepTask = Object.freeze({ module: "turnwise-course/jobs", export: "newRuleJob" });

/** The arms of a world at every learning rate, on the seeds of the tuning. */
export function ruleTuningPlan(world: RuleWorldName, arms: readonly RuleArmName[] = armsIn(world)): RulePlan {
  const cell = arms.flatMap((arm) =>
    ruleRates.map((rate) => ({ name: `${arm}, rate ${rate}`, world, arm, rate })),
  );
  return { task, grid: { cell }, seeds: ruleSeeds.tuning, metric: "learned" };
}

/** The same at the rate that the tuning chose, on the seeds of the study. */
export function ruleStudyPlan(
  world: RuleWorldName,
  tuning: readonly TunedArm[],
  arms: readonly RuleArmName[] = armsIn(world),
): RulePlan {
  const cell = arms.map((arm) => ({ name: arm, world, arm, rate: tunedRuleRate(tuning, world, arm) }));
  return { task, grid: { cell }, seeds: ruleSeeds.study, metric: "learned" };
}

/** The mean outcomes of the tuning runs of one arm at one rate. */
export type TunedArm = Pick<RuleRun, "world" | "arm" | "rate" | "learned" | "final" | "passAt8"> & {
  readonly seeds: number;
};

/** Averages the runs of each arm and rate over their seeds. */
export const tunedArms = (runs: readonly RuleRun[]): TunedArm[] =>
  meansByRate(runs, ["learned", "final", "passAt8"]);

/**
 * The rate at which an arm's mean outcome on the seeds of the tuning is largest; of equals, the smallest.
 *
 * @throws {RangeError} if the arm was not tuned in that world
 */
export const tunedRuleRate = (tuning: readonly TunedArm[], world: RuleWorldName, arm: RuleArmName): number =>
  bestRate(tuning, { world, arm, outcome: ruleArm(arm).tunedBy ?? "learned" });

/** The plan as `PREREGISTRATION.md` lists it. */
export const preregisteredRules = (): string =>
  preregistered({
    seeds: ruleSeeds,
    rates: ruleRates,
    worlds: ruleWorlds,
    armsIn,
    questions: ruleQuestions,
  });
