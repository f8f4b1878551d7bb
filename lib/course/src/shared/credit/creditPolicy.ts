import { make, type Env } from "turnwise/internal/env/index";
import { createPolicy } from "turnwise/internal/policy/index";
import type { Policy } from "turnwise/internal/policy/policy";
import { train } from "turnwise/internal/train/index";
import { rewardRecipe } from "./rewardRecipe";

/** Updates of training after which the credit for its turns is judged. */
export const creditUpdates = 60;

/** Calculator-v0 with one useless tool. */
export function creditWorld(reward: "outcome" | "checklist" = "outcome"): Env {
  return make("Calculator-v0", { distractors: 1, reward });
}

/** A model in the middle of learning to use the calculator, after 60 updates on the checklist or after the first of them. */
export async function creditPolicy(seed: number, updates = creditUpdates): Promise<Policy> {
  const env = creditWorld("checklist");
  const memory = "turnObservation";
  if (updates === 0) return createPolicy(env.spec, { memory, seed });
  const run = train({ env, policy: { memory }, recipe: rewardRecipe("rewardToGo"), updates, seed });
  for await (const _ of run);
  return run.policy;
}
