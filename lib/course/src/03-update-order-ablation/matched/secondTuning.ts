import type { Claim } from "turnwise/internal/plot/ledger";
import { verdicts } from "turnwise/internal/verdict/verdict";
import { asQuestion, matchedEffectsOf, measuredText } from "./claims";
import { allAtOnce, crossArm, type Held, type MatchedWorld } from "./design";
import { task, type MatchedCell, type MatchedPlan } from "./plan";
import { matchedQuestions, type MatchedComparison } from "./questions";
import { matchedArmRates, tunedRate, type TunedPoint } from "./rates";
import type { MatchedRun } from "./run";

/**
 * Asked after the study: is the lead of the last turn first one of the learning rates? Twelve seeds chose them, which is few where runs
 * end in one of two peaks. So where that order led, the rates of both sides are chosen once more, among the one they had, its half
 * and its double, on twice as many seeds, and compared on new ones.
 */
export const secondTuning = Object.freeze({
  factors: Object.freeze([0.5, 1, 2]),
  seeds: Object.freeze({
    choose: Object.freeze(Array.from({ length: 24 }, (_, i) => 2000 + i)),
    compare: Object.freeze(Array.from({ length: 100 }, (_, i) => 2100 + i)),
    confirmFrom: 2150,
  }),
});

const holds = ["passes", "steps"] as const satisfies readonly Held[];

/** The worlds, with their ratios, in which the last turn first led all turns at once by an interval above zero. */
const led: readonly (readonly [MatchedWorld, "product" | "geometric"])[] = [
  ["toolChain", "product"],
  ["toolChain", "geometric"],
  ["toolChainApart", "product"],
  ["toolChainApart", "geometric"],
  ["ladder", "product"],
];

/** The worlds of the second tuning. */
export const retunedWorlds = [...new Set(led.map(([world]) => world))];

const comparisonsAt = (held: Held): readonly MatchedComparison[] =>
  matchedQuestions[held].comparisons.filter(({ world, better }) =>
    led.some(([own, ratio]) => own === world && better === crossArm("reverse", ratio, "exact", held)),
  );

/** The arms of a world: the last turn first and all at once, at equal passes and at equal steps. */
const retunedArms = (world: MatchedWorld): readonly string[] =>
  led
    .filter(([own]) => own === world)
    .flatMap(([, ratio]) =>
      holds.flatMap((held) => [crossArm("reverse", ratio, "exact", held), allAtOnce(ratio, held)]),
    );

/** Every arm of a world at the rate of the study, its half and its double. */
export function secondTuningPlan(world: MatchedWorld, tuning: readonly TunedPoint[]): MatchedPlan {
  const rates = matchedArmRates(world, tuning);
  const cell = retunedArms(world).flatMap((arm) =>
    secondTuning.factors.map((factor): MatchedCell => {
      const rate = factor * rates.get(arm)!.rate;
      return { name: `${arm}, rate ${rate}`, world, arm, rate };
    }),
  );
  return { task, grid: { cell }, seeds: secondTuning.seeds.choose, metric: "success" };
}

/** Every arm of a world at the rate that the second tuning chose, by the rule of the first. */
export function retunedPlan(world: MatchedWorld, second: readonly TunedPoint[]): MatchedPlan {
  const cell = retunedArms(world).map((arm): MatchedCell => {
    const { rate } = tunedRate(second.filter((point) => point.world === world && point.arm === arm));
    return { name: arm, world, arm, rate };
  });
  return { task, grid: { cell }, seeds: secondTuning.seeds.compare, metric: "success" };
}

/**
 * The verdicts on both questions, over all ten comparisons by Holm's procedure, each of them in both halves of the new seeds.
 *
 * @throws {RangeError} if an arm has no runs
 */
export function retunedClaims(runs: readonly MatchedRun[]): Claim[] {
  const { confirmFrom } = secondTuning.seeds;
  const effects = holds.map((held) =>
    matchedEffectsOf({ of: "success", comparisons: comparisonsAt(held) }, runs, confirmFrom),
  );
  const decided = verdicts(
    Object.fromEntries(holds.map((held, i) => [held, asQuestion(matchedQuestions[held], effects[i]!)])),
  );
  return holds.map((held, i) => ({
    claim: `${matchedQuestions[held].claim}, with learning rates chosen a second time`,
    source: "this notebook; asked after the study, before these runs",
    measured: effects[i]!.map(measuredText).join("; "),
    verdict: decided[held],
  }));
}
