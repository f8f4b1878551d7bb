import type { Claim } from "turnwise/internal/plot/ledger";
import { mean } from "turnwise/internal/base/statistics";
import { gain } from "turnwise/internal/verdict/effect";
import { verdicts, type Question } from "turnwise/internal/verdict/verdict";
import { inBothHalves } from "../shared/inBothHalves";
import { measured } from "../shared/measured";
import { storedTable } from "../shared/storedTable";
import { ruleSeeds, type RuleArmName, type RuleOutcome, type RuleWorldName } from "./design";
import { ruleQuestions, smallestRuleEffect, type RuleQuestion } from "./questions";
import type { RuleRun } from "./run";

/** The runs of `new-rules.csv`. */
export const storedRuleRuns = (csv: string): RuleRun[] => storedTable(csv) as unknown as RuleRun[];

/** The claims of the newer rules, decided on the stored runs. */
export const newRulesLesson = (): Claim[] => newRuleClaims(storedRuleRuns(measured("new-rules")));

/**
 * Decides every question of the study: the claims of one rule are a family, and each effect has to be there in both halves.
 *
 * @throws {RangeError} if an arm was not run in a world
 */
export function newRuleClaims(runs: readonly RuleRun[]): Claim[] {
  const rules = [...new Set(ruleQuestions.map(({ rule }) => rule))];
  return rules.flatMap((rule) => {
    const questions = ruleQuestions.filter((one) => one.rule === rule);
    const decided = verdicts(Object.fromEntries(questions.map((one) => [one.claim, questionOf(runs, one)])));
    return questions.map((one) => ({
      claim: one.claim,
      source: one.source,
      measured: measuredText(runs, one),
      verdict: decided[one.claim]!,
    }));
  });
}

function questionOf(
  runs: readonly RuleRun[],
  { own, other, outcome, claims, worlds }: RuleQuestion,
): Question {
  const conditions = worlds.map((world) => ({
    setting: { world },
    effect: inBothHalves(
      outcomes(runs, world, own, outcome),
      outcomes(runs, world, other, outcome),
      (a, b) => gain(a, b),
      { confirmFrom: ruleSeeds.confirmFrom },
    ),
  }));
  const terms = { smallestEffectOfInterest: smallestRuleEffect, ...(claims && { claims }) };
  return conditions.length === 1 ? { effect: conditions[0]!.effect, ...terms } : { conditions, ...terms };
}

function outcomes(
  runs: readonly RuleRun[],
  world: RuleWorldName,
  arm: RuleArmName,
  outcome: RuleOutcome,
): { readonly seed: number; readonly value: number }[] {
  return runs
    .filter((run) => run.world === world && run.arm === arm)
    .map((run) => ({ seed: run.seed, value: run[outcome] }));
}

const titles = { learned: "mean score over the run", final: "score", passAt8: "pass@8" } as const;

/** "mean score over the run: lookUp .85 (rate .1, 240 steps) against .94 (rate .1, 60 steps)". */
function measuredText(runs: readonly RuleRun[], { own, other, outcome, worlds }: RuleQuestion): string {
  const arm = (world: RuleWorldName, name: RuleArmName): string => {
    const own = runs.filter((run) => run.world === world && run.arm === name);
    const average = (column: "steps" | "optimizerSteps"): string =>
      mean(own.map((run) => run[column])).toFixed(0);
    const value = mean(own.map((run) => run[outcome])).toFixed(3);
    return (
      `${value} (rate ${own[0]?.rate}, ${average("steps")} environment steps, ` +
      `${average("optimizerSteps")} optimizer steps, ${own[0]?.passes} passes)`
    );
  };
  const each = worlds.map((world) => `${world} ${arm(world, own)} against ${arm(world, other)}`);
  return `${titles[outcome]}: ${each.join("; ")}`;
}
