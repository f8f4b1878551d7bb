import type { Claim } from "turnwise/internal/plot/ledger";
import { mean } from "turnwise/internal/base/statistics";
import { measured } from "../shared/measured";
import { storedTable } from "../shared/storedTable";
import { decidedClaims } from "./decidedClaims";
import type { RuleArmName, RuleOutcome, RuleWorldName } from "./design";
import { networkClaims, storedNetworkRuns } from "./networkClaims";
import { ruleQuestions, type RuleQuestion } from "./questions";
import type { RuleRun } from "./run";

/** The runs of `new-rules.csv`. */
export const storedRuleRuns = (csv: string): RuleRun[] => storedTable(csv) as unknown as RuleRun[];

/** The claims of the newer rules, decided on the stored runs. */
export const newRulesLesson = (): Claim[] => [
  ...newRuleClaims(storedRuleRuns(measured("new-rules"))),
  ...networkClaims(storedNetworkRuns(measured("network-rules"))),
];

/**
 * Decides every question of the study: the claims of one rule are a family, and each effect has to be there in both halves.
 *
 * @throws {RangeError} if an arm was not run in a world
 */
export function newRuleClaims(runs: readonly RuleRun[]): Claim[] {
  return decidedClaims(ruleQuestions, {
    values: ({ outcome }, world, arm) => outcomes(runs, world, arm, outcome),
    measured: (one) => measuredText(runs, one),
  });
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
