import { mean } from "turnwise/internal/base/statistics";
import type { Claim } from "turnwise/internal/plot/index";
import { inBothHalves } from "../shared/inBothHalves";
import { effectText } from "turnwise/internal/verdict/effectText";
import type { StoredRecord } from "../shared/storedTable";
import { gain, type SeedValue } from "turnwise/internal/verdict/effect";
import { verdicts } from "turnwise/internal/verdict/verdict";
import { pairArms, pairWorlds, type PairJob, type PairResult } from "./twoAgents";
import { seeded } from "./worldModelClaims";
import { worldModelEffects as smallest } from "./worldModelEffects";

/** Whether two agents of different habits find more than one that has all of their samples. */
export function pairClaims(pairs: readonly StoredRecord[]): Claim[] {
  const worlds = Object.keys(pairWorlds) as PairJob["world"][];
  const [different, equal, one] = pairArms;
  const over = (a: PairJob["arm"], b: PairJob["arm"], column: keyof PairResult) =>
    worlds.map((world) => {
      const own = (arm: PairJob["arm"]): SeedValue[] => seeded(pairs, { world, arm }, column);
      return { setting: { world }, effect: inBothHalves(own(a), own(b), gain) };
    });
  const either = over(different, one, "either");
  const habits = over(different, equal, "either");
  const single = over(different, one, "single");
  const smallestEffectOfInterest = smallest.score;
  const decided = verdicts({
    either: { conditions: either, smallestEffectOfInterest },
    habits: { conditions: habits, smallestEffectOfInterest },
    single: { conditions: single, claims: "no loss", smallestEffectOfInterest },
  });
  const text = (conditions: typeof either): string =>
    conditions.map(({ setting, effect }) => `${setting.world} ${effectText(effect, 2)}`).join(", ");
  const at = (column: keyof PairResult): string =>
    worlds
      .map((world) => {
        const of = (arm: PairJob["arm"]): string =>
          mean(seeded(pairs, { world, arm }, column).map(({ value }) => value)).toFixed(2);
        return `${world}: ${of(different)}, ${of(equal)}, ${of(one)}`;
      })
      .join("; ");
  return [
    {
      claim: "Two different agents solve more tasks in two attempts than one agent of twice the samples",
      source: "MARS2, arXiv 2602.07848 [S]",
      measured: `40 seeds, exact chance that one of two attempts succeeds; different, equal, one: ${at("either")}; gained ${text(either)}`,
      verdict: decided.either,
    },
    {
      claim: "It is the different habits, not the number of agents",
      source: "this notebook",
      measured: `different minus equal habits: ${text(habits)}`,
      verdict: decided.habits,
    },
    {
      claim: "A single attempt of theirs is no worse",
      source: "this notebook",
      measured: `chance of one attempt; different, equal, one: ${at("single")}; gained ${text(single)}`,
      verdict: decided.single,
    },
  ];
}
