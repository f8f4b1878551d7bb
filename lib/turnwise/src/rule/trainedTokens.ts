import type { Batch } from "../batch/batch";
import { advantageOf } from "./advantage";
import type { Recipe } from "./recipe";

/**
 * 1 where a token is part of the loss, [N, T, L]: wherever the policy sampled it, unless the rule's advantage says that it
 * decided nothing there, such as a subgoal's token in a turn that keeps the subgoal.
 */
export const trainedTokens = (batch: Batch, { advantage }: Recipe): Uint8Array =>
  advantageOf(advantage).trained?.(batch, advantage) ?? batch.mask_ntl;
