import { enumerateReturn, optimalReturn } from "turnwise/internal/exact/index";
import { mean } from "turnwise/internal/base/statistics";
import { make } from "turnwise/internal/env/index";
import type { Claim } from "turnwise/internal/plot/ledger";
import type { Policy } from "turnwise/internal/policy/index";
import type { History } from "turnwise/internal/policy/policy";
import { exactly, gain, type Effect } from "turnwise/internal/verdict/effect";
import { verdicts, type Condition } from "turnwise/internal/verdict/verdict";
import { inBothHalves } from "../../shared/inBothHalves";
import {
  sampledArms,
  sampledSeeds,
  smallestSampledEffect,
  type SampledArmName,
  type SampledWorld,
} from "./design";
import type { SampledRun } from "./run";

const GUESS = 0.25;

/** Whether an arm is of the ranking, whose arms are compared at two learning rates. */
const isRanked = (arm: SampledArmName): boolean =>
  sampledArms[arm].times !== undefined ||
  Object.values(sampledArms).some(({ rateOf, times }) => times !== undefined && rateOf === arm);

/** The return in KeyDoor-v0 of a policy that names the color that it sees, and at the door the word that it said last. */
export function oneWordReturn(): number {
  const env = make("KeyDoor-v0");
  const size = env.spec.vocabulary.length;
  const policy = {
    contextOf: ({ observations, actions }: History) => [
      actions.at(-1)?.[0] ?? -1,
      observations.at(-1)!.tokens[0]!,
    ],
    nextTokenLogProb: ([said, seen]: readonly [number, number]) => {
      const word = said < 0 ? seen - size : said;
      return Float64Array.from({ length: size }, (_, token) => (token === word ? 0 : -Infinity));
    },
  };
  return enumerateReturn(env, policy as unknown as Policy, { gradient: false }).J;
}

/**
 * Decides the questions about search inside of rollouts, a memory of one word and the ranking by stability, each a family.
 *
 * @throws {RangeError} if an arm was not run
 */
export function sampledClaims(runs: readonly SampledRun[]): Claim[] {
  const of = (world: SampledWorld, arm: SampledArmName) =>
    runs
      .filter((run) => run.world === world && run.arm === arm)
      .map(({ seed, success }) => ({ seed, value: success }));
  const effect = (world: SampledWorld, better: SampledArmName, than: SampledArmName): Effect =>
    inBothHalves(of(world, better), of(world, than), (a, b) => gain(a, b), sampledSeeds);
  const condition = (world: SampledWorld, better: SampledArmName, than: SampledArmName): Condition => ({
    setting: { world, ...(isRanked(better) && { rate: sampledArms[better].times ? "times four" : "tuned" }) },
    effect: effect(world, better, than),
  });
  const shown = (world: SampledWorld, arm: SampledArmName): string =>
    mean(of(world, arm).map(({ value }) => value)).toFixed(3);
  const text = (pairs: readonly (readonly [SampledWorld, SampledArmName, SampledArmName])[]): string =>
    pairs
      .map(([world, a, b]) => {
        const at = sampledArms[a].times ? ", rate times four" : "";
        return `${world}${at}: ${shown(world, a)} against ${shown(world, b)}`;
      })
      .join("; ");
  const asked = (pairs: readonly (readonly [SampledWorld, SampledArmName, SampledArmName])[]) => ({
    conditions: pairs.map(([world, a, b]) => condition(world, a, b)),
    smallestEffectOfInterest: smallestSampledEffect,
  });

  const search = (than: SampledArmName) =>
    sampledArms["best of four"].worlds.map((world) => [world, "best of four", than] as const);
  const rank = (a: SampledArmName, b: SampledArmName) =>
    sampledArms.GRPO.worlds.flatMap((world) => [
      [world, a, b] as const,
      [world, `${a}, rate times four` as SampledArmName, `${b}, rate times four` as SampledArmName] as const,
    ]);
  const searches = verdicts({
    batch: asked(search("all 32")),
    updates: asked(search("8 and four times the updates")),
  });
  const word = of("keyDoor", "one word");
  const guess = word.map(({ seed }) => ({ seed, value: GUESS }));
  const smallestEffectOfInterest = smallestSampledEffect;
  const memory = verdicts({
    optimum: {
      effect: exactly(oneWordReturn() - optimalReturn(make("KeyDoor-v0")).J),
      claims: "no loss",
      smallestEffectOfInterest,
    },
    learns: {
      effect: inBothHalves(word, guess, (a, b) => gain(a, b), sampledSeeds),
      smallestEffectOfInterest,
    },
    equal: {
      effect: effect("keyDoor", "one word", "whole history"),
      claims: "no loss",
      smallestEffectOfInterest,
    },
    longer: {
      effect: effect("keyDoor", "one word, four times the updates", "whole history"),
      claims: "no loss",
      smallestEffectOfInterest,
    },
  });
  const stable = verdicts({
    first: asked(rank("REINFORCE", "PPO")),
    second: asked(rank("PPO", "GRPO")),
    ends: asked(rank("REINFORCE", "GRPO")),
  });
  const tsr = "TSR [U], in small";
  const mem1 = "Mem1 [P], in small";
  const searchR1 = "Search-R1++ [N], in small";
  return [
    {
      claim: "Keeping the best of every four rollouts beats learning from all of them",
      source: tsr,
      measured: text(search("all 32")),
      verdict: searches.batch,
    },
    {
      claim: "It beats as many rollouts in four times as many updates",
      source: tsr,
      measured: text(search("8 and four times the updates")),
      verdict: searches.updates,
    },
    {
      claim: "A memory of one word loses nothing at the optimum",
      source: "derived [D]",
      measured: `return of a policy that writes the color down: ${oneWordReturn().toFixed(3)}`,
      verdict: memory.optimum,
    },
    {
      claim: "The outcome alone teaches an agent what to write into it",
      source: mem1,
      measured: `success ${shown("keyDoor", "one word")}, a guess wins ${GUESS}`,
      verdict: memory.learns,
    },
    {
      claim: "Trained so, it wins as often as an agent that reads its whole history",
      source: mem1,
      measured: text([["keyDoor", "one word", "whole history"]]),
      verdict: memory.equal,
    },
    {
      claim: "With four times the updates, it does",
      source: "derived [D]",
      measured: text([["keyDoor", "one word, four times the updates", "whole history"]]),
      verdict: memory.longer,
    },
    ...(
      [
        ["REINFORCE", "PPO", stable.first],
        ["PPO", "GRPO", stable.second],
        ["REINFORCE", "GRPO", stable.ends],
      ] as const
    ).map(([a, b, verdict]) => ({
      claim: `${a} is more stable than ${b}`,
      source: searchR1,
      measured: text(rank(a, b)),
      verdict,
    })),
  ];
}
