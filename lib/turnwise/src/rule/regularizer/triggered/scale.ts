import { clippingTriggeredOf } from "./index";
import type { Recipe } from "../../recipe";

/**
 * The factor on the policy's gradient, given the L2 norm of the clipped-out gradient C; the critic's is left alone.
 *
 * ```
 * gradNorm:  1 / max(floor, ||C||_2)        otherwise 1
 * ```
 *
 * C is `policy.backward` of `dClipBias_ntl`.
 *
 * @see ST-PPO, arXiv 2511.20718v1, Eq. 7 and 8
 */
export function clippingTriggeredScale(recipe: Recipe, clipBiasNorm: number): number {
  const { clippingTriggered } = recipe.regularizer;
  return clippingTriggeredOf(clippingTriggered).gradientScale(clippingTriggered, clipBiasNorm);
}
