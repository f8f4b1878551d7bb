import { advantageOf } from "./advantage";
import type { Recipe } from "./recipe";
import { covarianceOf } from "./regulariser/covariance";
import type { KlOther } from "./regulariser/kl";
import { distributionsOf } from "./regulariser/penalties";
import { clippingTriggeredOf } from "./regulariser/triggered";

/** Inputs that a rule needs in addition to the batch. */
export interface RecipeNeeds {
  /** Log-probs of a frozen reference policy. */
  readonly reference: boolean;
  /** Whole distributions over the vocabulary, of these besides the policy's own, which any of them needs. */
  readonly distributions: Readonly<Record<KlOther, boolean>>;
  /** A critic's values. */
  readonly value: boolean;
  readonly entropy: boolean;
  /** A number in [0, 1) for every token, which decides whom a row leaves out; without them the choice is always the same. */
  readonly draws: boolean;
  /** A second backward pass, over `dClipBias_ntl`. */
  readonly clipBias: boolean;
}

/** Inputs that a trainer must supply for a rule: the rule functions refuse to run without them. */
export function recipeNeeds({ advantage, regulariser, reward, loss }: Recipe): RecipeNeeds {
  const compared = distributionsOf(regulariser, reward);
  return {
    reference: regulariser.klReference !== null || reward.kl !== null || Boolean(loss),
    distributions: {
      ...compared,
      old: compared.old || advantageOf(advantage).readsDistributions === true,
    },
    value: advantageOf(advantage).needsCritic || ("critic" in advantage && advantage.critic),
    entropy:
      regulariser.entropyCoef !== 0 || regulariser.entropyTarget !== null || regulariser.entropyShare < 1,
    draws: covarianceOf(regulariser.covariance).random,
    clipBias: clippingTriggeredOf(regulariser.clippingTriggered).needsClipBias,
  };
}
