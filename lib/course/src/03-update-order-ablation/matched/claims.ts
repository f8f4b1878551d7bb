import type { Claim } from "turnwise/internal/plot/ledger";
import { gain, shareGain, type Effect, type SeedValue } from "turnwise/internal/verdict/effect";
import { effectText } from "turnwise/internal/verdict/effectText";
import { verdicts, type Condition, type Question } from "turnwise/internal/verdict/verdict";
import { inBothHalves } from "../../shared/inBothHalves";
import { matchedSeeds } from "./design";
import {
  matchedQuestions,
  type MatchedComparison,
  type MatchedQuestion,
  type MatchedQuestionName,
} from "./questions";
import type { MatchedRun } from "./run";
import { isStuck, meanOf } from "./summary";

/** A comparison of the study with what was measured: the effect, in the direction of the claim, and the runs of both arms. */
export interface MatchedEffect {
  readonly comparison: MatchedComparison;
  readonly effect: Effect;
  readonly better: readonly MatchedRun[];
  readonly than: readonly MatchedRun[];
}

/**
 * The verdicts on the questions of the study, each family by Holm's procedure over all its comparisons; every comparison has to be there
 * in both halves of the seeds by itself.
 *
 * @throws {RangeError} if an arm has no runs
 */
export function matchedClaims(runs: readonly MatchedRun[]): Claim[] {
  const names = Object.keys(matchedQuestions) as MatchedQuestionName[];
  const effects = new Map(names.map((name) => [name, matchedEffectsOf(matchedQuestions[name], runs)]));
  const decided = (["primary", "secondary"] as const).map((family) => {
    const own = names.filter((name) => matchedQuestions[name].family === family);
    return verdicts(
      Object.fromEntries(own.map((name) => [name, asQuestion(matchedQuestions[name], effects.get(name)!)])),
    );
  });
  const all = Object.assign({}, ...decided) as ReturnType<typeof verdicts>;
  return names.map((name) => ({
    claim: matchedQuestions[name].claim,
    source: "this notebook; asked before the runs",
    measured: effects.get(name)!.map(measuredText).join("; "),
    verdict: all[name]!,
  }));
}

/** A question with what was measured, as a family of verdicts takes it. */
export function asQuestion(
  { claims, smallest }: Pick<MatchedQuestion, "claims" | "smallest">,
  effects: readonly MatchedEffect[],
): Question {
  const conditions = effects.map(({ comparison: { setting }, effect }): Condition => ({ setting, effect }));
  return { conditions, smallestEffectOfInterest: smallest, claims };
}

/** The effects behind a question, one for each of its comparisons. Seeds from `confirmFrom` on confirm. */
export function matchedEffectsOf(
  { comparisons, of }: Pick<MatchedQuestion, "comparisons" | "of">,
  runs: readonly MatchedRun[],
  confirmFrom: number = matchedSeeds.confirmFrom,
): MatchedEffect[] {
  const byArm = new Map<string, MatchedRun[]>();
  for (const run of runs) {
    const key = keyOf(run.world, run.arm);
    const known = byArm.get(key);
    if (known) known.push(run);
    else byArm.set(key, [run]);
  }
  return comparisons.map((comparison) => {
    const [better, than] = [comparison.better, comparison.than].map((arm) => {
      const own = byArm.get(keyOf(comparison.world, arm));
      if (own) return own;
      throw new RangeError(
        `Cannot decide the order study: every arm must have runs, and "${arm}" has none in ${comparison.world}.`,
      );
    }) as [MatchedRun[], MatchedRun[]];
    return { comparison, effect: effectOf(of, better, than, confirmFrom), better, than };
  });
}

const keyOf = (world: string, arm: string): string => `${world}|${arm}`;

function effectOf(
  of: MatchedQuestion["of"],
  better: readonly MatchedRun[],
  than: readonly MatchedRun[],
  confirmFrom: number,
): Effect {
  if (of === "success") {
    const values = (own: readonly MatchedRun[]): SeedValue[] =>
      own.map(({ seed, success }) => ({ seed, value: success }));
    return inBothHalves(values(better), values(than), (a, b) => gain(a, b), { confirmFrom });
  }
  const stuck = (own: readonly MatchedRun[]): SeedValue[] =>
    own.map((run) => ({ seed: run.seed, value: Number(isStuck(run)) }));
  const count = (values: readonly number[]): { readonly count: number; readonly of: number } => ({
    count: values.reduce((a, b) => a + b, 0),
    of: values.length,
  });
  return inBothHalves(stuck(than), stuck(better), (a, b) => shareGain(count(a), count(b)), { confirmFrom });
}

/** The effect with the real steps and passes of both arms, and how many of their seeds are stuck. */
export function measuredText({ comparison, effect, better, than }: MatchedEffect): string {
  const ofEach = (value: (own: readonly MatchedRun[]) => string): string =>
    `${value(better)} : ${value(than)}`;
  const setting = Object.values(comparison.setting).join(" ");
  return (
    `${setting} ${effectText(effect)} (stuck ${ofEach((own) => `${own.filter(isStuck).length} of ${own.length}`)}, ` +
    `steps ${ofEach((own) => meanOf(own, "optimizerSteps").toFixed(0))}, ` +
    `passes ${ofEach((own) => meanOf(own, "passes").toFixed(1))})`
  );
}
