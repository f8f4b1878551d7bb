import { recipe, type Recipe } from "turnwise/internal/rule/index";

/** Credit of a turn: that of the entire trajectory, the rewards from the turn on, or its own reward. */
export const rewardCredits = Object.freeze(["trajectory", "rewardToGo", "reward"] as const);
/** Which rewards a turn is credited with. */
export type RewardCredit = (typeof rewardCredits)[number];

/**
 * GRPO's rule without a division by a std, so that only the credit differs; two steps of Adam at .05 on each batch.
 *
 * @see CM2, arXiv 2602.12268, for comparing a turn's own reward with its group
 */
export function rewardRecipe(credit: RewardCredit): Recipe {
  return recipe("grpo", {
    scale: "none",
    ...(credit !== "trajectory" && { advantage: { kind: "perTurn", credit } }),
    update: { epochs: 2, minibatches: 1, optimizer: { kind: "adam", learningRate: 0.05 } },
  });
}
