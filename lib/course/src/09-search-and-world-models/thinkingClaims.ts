import type { Claim } from "turnwise/internal/plot/index";
import { inBothHalves } from "../shared/inBothHalves";
import { effectText } from "turnwise/internal/verdict/effectText";
import type { StoredRecord } from "../shared/storedTable";
import { gain, type SeedValue } from "turnwise/internal/verdict/effect";
import { verdicts } from "turnwise/internal/verdict/verdict";
import { thinkers, thinkingBudgets, thinkingWorlds, type Thinker } from "./thinkOrTry";
import { seeded } from "./worldModelClaims";
import { worldModelEffects as smallest } from "./worldModelEffects";

/** Whether a search finds more than the best of many attempts that cost as many steps, and whether a tree finds more than a bandit. */
export function thinkingClaims(thinking: readonly StoredRecord[]): Claim[] {
  const over = (one: Thinker, other: Thinker, budgets: readonly number[]) =>
    thinkingWorlds.flatMap((world) =>
      budgets.map((budget) => {
        const own = (thinker: Thinker): SeedValue[] => seeded(thinking, { world, thinker, budget }, "score");
        return { setting: { world, budget }, effect: inBothHalves(own(one), own(other), gain) };
      }),
    );
  const [attempts, bandit, tree] = thinkers;
  const smallestEffectOfInterest = smallest.score;
  const ahead = over(tree, attempts, thinkingBudgets);
  const deeper = over(tree, bandit, thinkingBudgets);
  const decided = verdicts({
    ahead: { conditions: ahead, smallestEffectOfInterest },
    deeper: { conditions: deeper, smallestEffectOfInterest },
  });
  const text = (conditions: typeof ahead, budget: number): string =>
    conditions
      .filter(({ setting }) => setting.budget === budget)
      .map(({ setting, effect }) => `${setting.world} ${effectText(effect, 2)}`)
      .join(", ");
  const [least, , most] = thinkingBudgets;
  return [
    {
      claim: "Thinking ahead finds more than trying again with as many steps",
      source: "this notebook",
      measured: `score of tree search minus best of many attempts, ${least} steps a task: ${text(ahead, least)}; ${most} steps: ${text(ahead, most)}`,
      verdict: decided.ahead,
    },
    {
      claim: "A tree finds more than UCB1 on the next turn",
      source: "this notebook",
      measured: `score of tree search minus UCB1, ${most} steps a task: ${text(deeper, most)}`,
      verdict: decided.deeper,
    },
  ];
}
