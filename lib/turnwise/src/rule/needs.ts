import { advantageOf } from "./advantage";
import type { Recipe } from "./recipe";
import { covarianceOf } from "./regularizer/covariance";
import type { KlOther } from "./regularizer/kl";
import { distributionsOf } from "./regularizer/penalties";
import { clippingTriggeredOf } from "./regularizer/triggered";

/** Inputs that a rule needs in addition to the batch. */
export interface RecipeNeeds {
  /** Log-probs of a reference policy. */
  readonly reference: boolean;
  /** Whether that policy is the one that learns, after it has read a demonstration, and no frozen one. */
  readonly shown: boolean;
  /** Whole distributions over the vocabulary, of these besides the policy's own, which any of them needs. */
  readonly distributions: Readonly<Record<KlOther, boolean>>;
  /** A critic's values. */
  readonly value: boolean;
  readonly entropy: boolean;
  /** A number in [0, 1) for every token, which decides which tokens a rule drops; without them the choice is always the same. */
  readonly draws: boolean;
  /** A second backward pass, over `dClipBias_ntl`. */
  readonly clipBias: boolean;
  /** The squared norm of each trajectory's own gradient: a backward pass for each. */
  readonly gradients: boolean;
}

/** Inputs that a trainer must supply for a rule: the rule functions refuse to run without them. */
export function recipeNeeds({ advantage, regularizer, reward, loss }: Recipe): RecipeNeeds {
  const compared = distributionsOf(regularizer, reward);
  return {
    reference: regularizer.klReference !== null || reward.kl !== null || Boolean(loss),
    shown: reward.kl?.reference === "shown",
    distributions: {
      ...compared,
      old: compared.old || advantageOf(advantage).readsDistributions === true,
    },
    value: advantageOf(advantage).needsCritic || ("critic" in advantage && advantage.critic),
    entropy:
      regularizer.entropyCoef !== 0 || regularizer.entropyTarget !== null || regularizer.entropyShare < 1,
    draws: covarianceOf(regularizer.covariance).random,
    clipBias: clippingTriggeredOf(regularizer.clippingTriggered).needsClipBias,
    gradients: advantageOf(advantage).readsGradients === true,
  };
}
