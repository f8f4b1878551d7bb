import { mean } from "turnwise/internal/base/statistics";
import type { Claim } from "turnwise/internal/plot/index";
import { inBothHalves } from "../shared/inBothHalves";
import { effectText } from "turnwise/internal/verdict/effectText";
import type { StoredRecord } from "../shared/storedTable";
import { gain, type SeedValue } from "turnwise/internal/verdict/effect";
import { verdicts } from "turnwise/internal/verdict/verdict";
import { teamNames } from "./shapleyClaims";
import { sharpShares, type sharpCounts, type SharpArm } from "./sharpRun";
import { seeded } from "./worldModelClaims";
import { sharpEffects as smallest } from "./worldModelEffects";

/**
 * Whether a team learns faster when each agent is paid for what would be lost without it, where masking an agent costs steps, and where
 * it does not.
 */
export function sharpClaims(stored: readonly StoredRecord[]): Claim[] {
  const gained = (arm: SharpArm, than: SharpArm, count: (typeof sharpCounts)[number]) =>
    teamNames.flatMap((team) =>
      sharpShares.map((share) => {
        const own = (name: SharpArm): SeedValue[] =>
          seeded(stored, { team, arm: name, count, share }, "score");
        return {
          setting: { team, "share of the budget": share },
          effect: inBothHalves(own(arm), own(than), gain),
        };
      }),
    );
  const counted = gained("with losses", "broadcast", "every step");
  const without = gained("broadcast", "with losses", "every step");
  const free = gained("with losses", "broadcast", "masks for free");
  const smallestEffectOfInterest = smallest.score;
  const decided = verdicts({
    counted: { conditions: counted, smallestEffectOfInterest },
    without: { conditions: without, smallestEffectOfInterest },
    free: { conditions: free, smallestEffectOfInterest },
  });
  const text = (conditions: typeof counted, share: number): string =>
    conditions
      .filter(({ setting }) => setting["share of the budget"] === share)
      .map(({ setting, effect }) => `${setting.team} ${effectText(effect, 2)}`)
      .join("; ");
  const updates = (arm: SharpArm): string =>
    teamNames
      .map((team) =>
        mean(
          seeded(stored, { team, arm, count: "every step", share: 1 }, "updates").map(({ value }) => value),
        ).toFixed(0),
      )
      .join(", ");
  return [
    {
      claim:
        "Paid for what would be lost without it, each agent lets the team learn faster for as many steps",
      source: "SHARP, arXiv 2602.08335 [P]",
      measured: `40 seeds, exact score gained on the broadcast of the same return, after half of the steps: ${text(counted, 0.5)}; after all: ${text(counted, 1)}; updates that they buy: ${updates("with losses")} against ${updates("broadcast")}`,
      verdict: decided.counted,
    },
    {
      claim: "For as many steps, a team learns more without SHARP's losses",
      source: "this notebook",
      measured: `score gained by leaving them out, after half of the steps: ${text(without, 0.5)}; after all: ${text(without, 1)}`,
      verdict: decided.without,
    },
    {
      claim: "They would let it learn faster, if the episodes without an agent cost nothing",
      source: "this notebook",
      measured: `after half of the steps of the team's own episodes: ${text(free, 0.5)}; after all: ${text(free, 1)}`,
      verdict: decided.free,
    },
  ];
}
