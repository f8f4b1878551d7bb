import type { Recipe } from "turnwise/internal/rule/index";
import type { ReadTrainer } from "./contract";

/** Gates that bound a ratio, and so do nothing where it is 1. */
const bounding = ["clip", "dualClip", "cispo", "logClip", "dppo", "offPolicyMask", "fairClip"];

/** What follows from a configuration and may not be meant, a sentence each. */
export function warningsOf(
  { reward, regulariser, update, gate, ratio }: Recipe,
  { comparesWithSampler = false }: ReadTrainer,
): string[] {
  const { kl } = reward;
  const { klReference } = regulariser;
  const once = update.epochs * update.minibatches === 1;
  return [
    ...(kl !== null && klReference !== null
      ? [
          `a KL to the reference is charged twice: ${kl.coef} times in the reward, and ${klReference.coef} times in the loss`,
        ]
      : []),
    ...(once && !comparesWithSampler && ratio.level !== "none" && bounding.includes(gate.kind)
      ? [
          "one step is taken from each batch, so every ratio is 1: nothing is clipped, and the logged clip ratio is always 0",
        ]
      : []),
  ];
}
