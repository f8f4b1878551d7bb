import { mean } from "turnwise/internal/base/statistics";
import type { Claim } from "turnwise/internal/plot/index";
import { effectText } from "turnwise/internal/verdict/effectText";
import type { StoredRecord } from "../shared/storedTable";
import { exactly, type Effect } from "turnwise/internal/verdict/effect";
import { verdict, verdicts } from "turnwise/internal/verdict/verdict";
import { rewardSignalEffects as smallest } from "./effects";
import { goodhartArms, type GoodhartArm } from "./goodhartRun";
import { numbers, paired, text } from "../shared/samples";
import type { MixedOptimum, ScoreOfOptimum } from "./scoreOfOptimum";

/** True scores below this are called useless: half of what an honest agent gets. */
const USELESS = 0.5;

/** Claims that can be decided exactly. */
export function optimumClaims({
  free,
  costly,
  mixed,
}: {
  readonly free: ScoreOfOptimum;
  readonly costly: Readonly<Record<"outcome" | "verification" | "proxy", ScoreOfOptimum>>;
  readonly mixed: readonly MixedOptimum[];
}): Claim[] {
  const range = ({ low, high }: ScoreOfOptimum): string => `${low.toFixed(3)} to ${high.toFixed(3)}`;
  const { proxy, outcome, verification } = costly;
  const enough = mixed.find(({ score }) => score > 0.999)?.weight ?? Infinity;
  const tenth = mixed.find(({ weight }) => weight === smallest.littleTruth)!;
  const lacks = { free, "cost .1": proxy };
  return [
    {
      claim: "An agent that is optimal for a proxy can be useless",
      source: "Goodhart's law (std)",
      measured:
        `true score of optimal policies, exact: proxy ${range(free)}, with costly calls ${range(proxy)}; ` +
        `outcome ${range(outcome)}`,
      verdict: verdict({
        conditions: Object.entries(lacks).map(([calls, { low }]) => ({
          setting: { calls },
          effect: exactly(USELESS - low),
        })),
        smallestEffectOfInterest: smallest.exact,
      }),
    },
    {
      claim: "Verification on the way leaves the optimum alone",
      source: "Ng, Harada, Russell 1999, theorem 1",
      measured:
        `best return: outcome ${outcome.J.toFixed(3)}, verification ${verification.J.toFixed(3)}; ` +
        `true score ${range(verification)}`,
      verdict: verdict({
        effect: exactly(verification.J - outcome.J),
        claims: "same",
        smallestEffectOfInterest: smallest.exact,
      }),
    },
    {
      claim: "A little truth in the reward is enough",
      source: "this notebook",
      measured:
        `optimal agent solves the task from weight ${enough} on; ` +
        `at ${String(smallest.littleTruth).slice(1)} its true score is ${tenth.score.toFixed(3)}`,
      verdict: verdict({
        conditions: mixed.map(({ weight, score }) => ({
          setting: { weight },
          effect: exactly(score - outcome.high),
        })),
        claims: "no loss",
        smallestEffectOfInterest: smallest.exact,
      }),
    },
  ];
}

/** Training on the proxy from one and the same half-trained policy. */
export function climbingClaims(goodhart: readonly StoredRecord[]): Claim[] {
  const at = (arm: GoodhartArm, column: string, update: number): number[] =>
    numbers(
      goodhart.filter((row) => row["arm"] === arm && row["update"] === update),
      column,
    );
  const updates = [...new Set(numbers(goodhart, "update"))].sort((a, b) => a - b);
  const [first, last] = [updates[0]!, updates.at(-1)!];
  const end = (arm: GoodhartArm): number[] => at(arm, "score", last);
  const meanAt = (update: number): number => mean(at("proxy", "score", update));
  const peak = updates.reduce((best, update) => (meanAt(update) > meanAt(best) ? update : best));
  const fall = paired(at("proxy", "score", first), end("proxy"));
  const rise = paired(at("proxy", "paid", last), at("proxy", "paid", first));
  const bump = paired(at("proxy", "score", peak), at("proxy", "score", first));
  const penalties = (Object.keys(goodhartArms) as GoodhartArm[]).flatMap((arm) => {
    const { kl } = goodhartArms[arm];
    return kl === null ? [] : [{ arm, setting: { estimator: kl.estimator, coef: kl.coef } }];
  });
  const kept = penalties.map(({ arm, setting }) => ({
    arm,
    setting,
    effect: paired(end(arm), end("proxy")),
  }));
  const learned = penalties.map(({ arm, setting }) => ({
    arm,
    setting,
    effect: paired(end(arm), at(arm, "score", first)),
  }));
  const each = (list: readonly { readonly arm: string; readonly effect: Effect }[]): string =>
    list.map(({ arm, effect }) => `${arm.replace("proxy, ", "")} ${effectText(effect)}`).join(", ");
  const smallestEffectOfInterest = smallest.score;
  const decided = verdicts({
    fall: { effect: fall, smallestEffectOfInterest },
    rise: { effect: rise, smallestEffectOfInterest: smallest.paid },
    kept: { conditions: kept.map(({ setting, effect }) => ({ setting, effect })), smallestEffectOfInterest },
    learned: {
      conditions: learned.map(({ setting, effect }) => ({ setting, effect })),
      smallestEffectOfInterest,
    },
  });
  const seeds = end("proxy").length;
  return [
    {
      claim: "Who climbs the proxy loses true score",
      source: "2210.10760, Fig. 1 (std)",
      measured:
        `proxy, ${seeds} seeds, fall from the first to the last twentieth: true score ${effectText(fall)}; ` +
        `rise before the fall, to the highest mean, at update ${peak}: ${effectText(bump)}`,
      verdict: decided.fall,
    },
    {
      claim: "The proxy rises meanwhile",
      source: "2210.10760, Fig. 1 (std)",
      measured: `from the first to the last twentieth: proxy ${effectText(rise)}`,
      verdict: decided.rise,
    },
    {
      claim: "A KL penalty prevents the loss",
      source: "common practice [S]",
      measured: `true score at the end: no penalty ${text(end("proxy"))}; penalty - none: ${each(kept)}`,
      verdict: decided.kept,
    },
    {
      claim: "With the penalty the agent still improves",
      source: "this notebook",
      measured: `true score, last - first twentieth: ${each(learned)}; of the outcome's agent ${effectText(paired(end("outcome"), at("outcome", "score", first)))}`,
      verdict: decided.learned,
    },
  ];
}
