import type { SweepTask } from "turnwise/internal/sweep/plan";
import { mean } from "turnwise/internal/base/statistics";
import { ruleArm, ruleRates, ruleSeeds, ruleWorlds, type RuleArmName, type RuleWorldName } from "./design";
import { armsIn, ruleQuestions, smallestRuleEffect } from "./questions";
import type { RuleJob, RuleRun } from "./run";

/** The plan of a sweep over the arms of one world. */
export interface RulePlan {
  readonly task: SweepTask;
  readonly grid: { readonly cell: readonly (RuleJob["cell"] & { readonly name: string })[] };
  readonly seeds: readonly number[];
  readonly metric: "learned";
}

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
export function tunedArms(runs: readonly RuleRun[]): TunedArm[] {
  const groups = new Map<string, RuleRun[]>();
  for (const run of runs) {
    const key = [run.world, run.arm, run.rate].join("|");
    groups.set(key, [...(groups.get(key) ?? []), run]);
  }
  return [...groups.values()].map((group) => {
    const { world, arm, rate } = group[0]!;
    const of = (name: "learned" | "final" | "passAt8"): number => mean(group.map((run) => run[name]));
    return {
      world,
      arm,
      rate,
      seeds: group.length,
      learned: of("learned"),
      final: of("final"),
      passAt8: of("passAt8"),
    };
  });
}

/**
 * The rate at which an arm's mean outcome on the seeds of the tuning is largest; of equals, the smallest.
 *
 * @throws {RangeError} if the arm was not tuned in that world
 */
export function tunedRuleRate(tuning: readonly TunedArm[], world: RuleWorldName, arm: RuleArmName): number {
  const outcome = ruleArm(arm).tunedBy ?? "learned";
  const own = tuning
    .filter((point) => point.world === world && point.arm === arm)
    .sort((a, b) => a.rate - b.rate);
  const [first] = own;
  if (first === undefined) {
    throw new RangeError(
      `Cannot choose a learning rate: "${arm}" must have been tuned in ${world}, got no run.`,
    );
  }
  return own.reduce((best, point) => (point[outcome] > best[outcome] ? point : best), first).rate;
}

const span = (values: readonly number[]): string => `${values[0]} to ${values.at(-1)}`;

/** The plan as `PREREGISTRATION.md` lists it; a test compares the two, so that neither changes without the other. */
export function preregisteredRules(): string {
  const { study, confirmFrom, tuning } = ruleSeeds;
  const worlds = (Object.keys(ruleWorlds) as RuleWorldName[]).map(
    (world) =>
      `| ${world} | ${ruleWorlds[world].title} | ${ruleWorlds[world].updates} | ${armsIn(world).join("; ")} |`,
  );
  const questions = ruleQuestions.map(
    (one) =>
      `| \`${one.rule}\` | ${one.claim} | ${one.own} | ${one.other} | ${one.outcome} | ${one.claims ?? "gain"} | ${one.worlds.join(", ")} |`,
  );
  return [
    `- Seeds of the study: ${span(study)}. Those below ${confirmFrom} find, those from ${confirmFrom} on confirm.`,
    `- Seeds of the tuning: ${span(tuning)}, at the rates ${ruleRates.join(", ")} of Adam.`,
    `- Smallest effect of interest: ${smallestRuleEffect}, for every question.`,
    "",
    "| world | title | updates | arms |",
    "| --- | --- | --- | --- |",
    ...worlds,
    "",
    "| rule | claim | arm | compared with | outcome | claimed | worlds |",
    "| --- | --- | --- | --- | --- | --- | --- |",
    ...questions,
  ].join("\n");
}
