import { enumerateReturn, optimalReturn } from "turnwise/internal/exact/index";
import { mean } from "turnwise/internal/base/statistics";
import { make } from "turnwise/internal/env/index";
import type { Claim } from "turnwise/internal/plot/ledger";
import type { Policy } from "turnwise/internal/policy/index";
import type { History } from "turnwise/internal/policy/policy";
import { exactly, gain, type Effect } from "turnwise/internal/verdict/effect";
import { verdicts } from "turnwise/internal/verdict/verdict";
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

type Ranked = "REINFORCE" | "PPO" | "GRPO";

/** Two arms in one setting; the claim is that the first does better. */
interface Comparison {
  readonly setting: { readonly world: SampledWorld; readonly rate?: "tuned" | "times four" };
  readonly better: SampledArmName;
  readonly than: SampledArmName;
}

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
  const effect = ({ setting: { world }, better, than }: Comparison): Effect =>
    inBothHalves(of(world, better), of(world, than), (a, b) => gain(a, b), sampledSeeds);
  const shown = (world: SampledWorld, arm: SampledArmName): string =>
    mean(of(world, arm).map(({ value }) => value)).toFixed(3);
  const text = (comparisons: readonly Comparison[]): string =>
    comparisons
      .map(({ setting: { world, rate }, better, than }) => {
        const at = rate === "times four" ? ", rate times four" : "";
        return `${world}${at}: ${shown(world, better)} against ${shown(world, than)}`;
      })
      .join("; ");
  const asked = (comparisons: readonly Comparison[]) => ({
    conditions: comparisons.map((one) => ({ setting: { ...one.setting }, effect: effect(one) })),
    smallestEffectOfInterest: smallestSampledEffect,
  });

  const search = (than: SampledArmName): Comparison[] =>
    sampledArms["best of four"].worlds.map((world) => ({ setting: { world }, better: "best of four", than }));
  const rank = (a: Ranked, b: Ranked): Comparison[] =>
    sampledArms.GRPO.worlds.flatMap((world) => [
      { setting: { world, rate: "tuned" }, better: a, than: b },
      {
        setting: { world, rate: "times four" },
        better: `${a}, rate times four`,
        than: `${b}, rate times four`,
      },
    ]);
  const inKeyDoor = (better: SampledArmName): Comparison => ({
    setting: { world: "keyDoor" },
    better,
    than: "whole history",
  });
  const [equal, longer] = [inKeyDoor("one word"), inKeyDoor("one word, four times the updates")];
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
    equal: { effect: effect(equal), claims: "no loss", smallestEffectOfInterest },
    longer: { effect: effect(longer), claims: "no loss", smallestEffectOfInterest },
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
      measured: text([equal]),
      verdict: memory.equal,
    },
    {
      claim: "With four times the updates, it does",
      source: "derived [D]",
      measured: text([longer]),
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
