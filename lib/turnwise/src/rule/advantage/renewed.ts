import type { Batch } from "../../batch/batch";
import type { Recipe } from "../recipe";
import { advantageOf } from "./index";

/** Advantages at an optimizer step whose policy gives these log-probs: those before the update, unless they depend on the policy. */
export function renewedAdvantage(
  { advantage }: Recipe,
  batch: Batch,
  advantage_ntl: Float64Array,
  logProb_ntl: ArrayLike<number>,
): Float64Array {
  return advantageOf(advantage).renewed?.(batch, advantage_ntl, logProb_ntl) ?? advantage_ntl;
}
