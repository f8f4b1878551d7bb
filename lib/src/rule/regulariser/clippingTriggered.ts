import type { Recipe } from "../recipe";

/**
 * The factor on the whole parameter gradient, given the L2 norm of the clipped-out gradient C.
 *
 * ```
 * gradNorm:  1 / max(floor, ||C||_2)        otherwise 1
 * ```
 *
 * C is `policy.backward` of `dClipBias_ntl`. Reviews of ST-PPO describe division by ||C||_2 (Eq. 7 and 8) [R]; the floor
 * is our own guard, since C is 0 whenever nothing is clipped. The formula of the later version (SORL) is unverified [U].
 *
 * @see ST-PPO / SORL, arXiv 2511.20718
 */
export function clippingTriggeredScale(recipe: Recipe, clipBiasNorm: number): number {
  const { clippingTriggered } = recipe.regulariser;
  return clippingTriggered.kind === "gradNorm" ? 1 / Math.max(clippingTriggered.floor, clipBiasNorm) : 1;
}
