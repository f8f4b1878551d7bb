import type { Batch } from "../batch/batch";
import type { Env } from "../env/env";
import type { Evaluation, Policy } from "../policy/policy";
import type { Rng } from "../base/rng";
import { recipeNeeds, type Recipe } from "../rule";
import { afterDemonstration } from "./distil/shown";
import { evaluateWhole } from "./distributions";

/** Policies that may be the other one of a divergence. */
interface Referred {
  readonly env: Env;
  readonly policy: Policy;
  readonly recipe: Recipe;
  readonly reference: Policy | null;
  readonly demonstrator?: Policy | undefined;
}

/**
 * The reference on a batch: a frozen policy, or the one that learns, as it is before the update, after it has read a demonstration.
 *
 * @param rollout the generator that the batch was collected with
 */
export function referenceOn(
  batch: Batch,
  { env, policy, recipe, reference, demonstrator }: Referred,
  rollout: Rng,
): Evaluation {
  const { shown, distributions } = recipeNeeds(recipe);
  if (shown)
    return policy.evaluate(afterDemonstration(batch, { env, policy, demonstrator: demonstrator!, rollout }));
  return distributions.reference ? evaluateWhole(reference!, recipe, batch) : reference!.evaluate(batch);
}
