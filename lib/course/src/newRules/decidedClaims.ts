import type { Claim } from "turnwise/internal/plot/ledger";
import { gain, type SeedValue } from "turnwise/internal/verdict/effect";
import { verdicts, type Question } from "turnwise/internal/verdict/verdict";
import { inBothHalves } from "../shared/inBothHalves";
import { ruleSeeds } from "./design";
import { smallestRuleEffect, type StudyQuestion } from "./study";

/**
 * Decides questions on stored runs: the claims of one rule are a family, and each effect has to be there in both halves.
 *
 * @param values of an arm in a world, by seed
 * @param measured what stands in the ledger next to the verdict
 */
export function decidedClaims<W extends string, A extends string, Q extends StudyQuestion<W, A, string>>(
  questions: readonly (Q & StudyQuestion<W, A, string>)[],
  {
    values,
    measured,
  }: {
    readonly values: (question: Q, world: W, arm: A) => readonly SeedValue[];
    readonly measured: (question: Q) => string;
  },
): Claim[] {
  const asked = (one: Q): Question => {
    const conditions = one.worlds.map((world) => ({
      setting: { world },
      effect: inBothHalves(values(one, world, one.own), values(one, world, one.other), (a, b) => gain(a, b), {
        confirmFrom: ruleSeeds.confirmFrom,
      }),
    }));
    const terms = {
      smallestEffectOfInterest: smallestRuleEffect,
      ...(one.claims && { claims: one.claims }),
    };
    return conditions.length === 1 ? { effect: conditions[0]!.effect, ...terms } : { conditions, ...terms };
  };
  return [...new Set(questions.map(({ rule }) => rule))].flatMap((rule) => {
    const family = questions.filter((one) => one.rule === rule);
    const decided = verdicts(Object.fromEntries(family.map((one) => [one.claim, asked(one)])));
    return family.map((one) => ({
      claim: one.claim,
      source: one.source,
      measured: measured(one),
      verdict: decided[one.claim]!,
    }));
  });
}
