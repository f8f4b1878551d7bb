import type { Recipe } from "../recipe";

/**
 * Number of steps that the k-th (from 0) of K turn sets takes on a batch, at most this many epochs long.
 *
 * ```
 * each:    epochs, without another bound
 * shared:  floor((k + 1) B / K) - floor(k B / K) steps, B = epochs x minibatches
 * ```
 *
 * Shared steps add up to B whatever K is, so that a rule that goes turn by turn takes as many as one that moves all turns at
 * once. Without it, the number grows with the length of the episodes.
 */
export function stepShare(
  { order, update: { epochs, minibatches } }: Pick<Recipe, "order" | "update">,
  k: number,
  K: number,
): { readonly epochs: number; readonly steps: number } {
  if (!("steps" in order) || order.steps === "each") return { epochs, steps: Infinity };
  const B = epochs * minibatches;
  return { epochs: Infinity, steps: Math.floor(((k + 1) * B) / K) - Math.floor((k * B) / K) };
}
