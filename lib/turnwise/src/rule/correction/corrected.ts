import type { Metrics } from "../../base/glossary";
import type { Batch } from "../../batch/batch";
import { ratioOf } from "../ratio";
import { limitedExp } from "../ratio/units";
import type { Recipe } from "../recipe";
import { correctionOf } from "./index";
import { mismatchMetrics } from "./mismatchMetrics";

/** Result of the rule for the ratios of trainer to rollout engine. */
export interface Corrected {
  /** Weight of each token's objective, [N, T, L]; undefined if each counts fully. */
  readonly correction_ntl: Float64Array | undefined;
  /** 1 where a token is part of the loss: those that were, but for the rejected ones. */
  readonly trained_ntl: Uint8Array;
  readonly metrics: Metrics;
}

/**
 * Weights and rejections of a rule's correction, once for each batch, before the update's first step.
 *
 * ```
 * ratio = exp(sum of log pi_trainer - log pi_rollout over the unit's sampled tokens [/ their number])
 * ```
 * limited to e^20, as in verl. Where the batch has no `rolloutLogProb_ntl`, both engines are one, and nothing is corrected.
 *
 * @param trainer_ntl log-probs under the trainer's policy before the update
 */
export function corrected(
  batch: Batch,
  { correction }: Recipe,
  trained_ntl: Uint8Array,
  trainer_ntl: ArrayLike<number> = batch.oldLogProb_ntl,
): Corrected {
  const { shape, mask_ntl, rolloutLogProb_ntl } = batch;
  if (rolloutLogProb_ntl === undefined) return { correction_ntl: undefined, trained_ntl, metrics: {} };
  const { active, unit, judge } = correctionOf(correction);
  const measured = mismatchMetrics(batch, rolloutLogProb_ntl, trainer_ntl);
  if (!active) return { correction_ntl: undefined, trained_ntl, metrics: measured };
  const { level, averaged } = unit(correction);
  const size = ratioOf({ level }).unitSize(shape);
  const correction_ntl = new Float64Array(mask_ntl.length);
  const kept_ntl = trained_ntl.slice();
  const seen = { tokens: 0, cut: 0, dropped: 0, weight: 0, squares: 0 };
  for (let start = 0; start < mask_ntl.length; start += size) {
    const end = start + size;
    let sum = 0;
    let count = 0;
    for (let i = start; i < end; i++) {
      if (mask_ntl[i] !== 1) continue;
      sum += trainer_ntl[i]! - rolloutLogProb_ntl[i]!;
      count++;
    }
    if (count === 0) continue;
    const ratio = limitedExp(averaged ? sum / count : sum);
    const { weight, kept, truncated = false } = judge(correction, ratio);
    for (let i = start; i < end; i++) {
      if (mask_ntl[i] !== 1) continue;
      correction_ntl[i] = weight;
      if (!kept) kept_ntl[i] = 0;
    }
    const applied = kept ? weight : 0;
    seen.tokens += count;
    if (applied === 0) seen.dropped += count;
    if (truncated) seen.cut += count;
    seen.weight += count * applied;
    seen.squares += count * applied * applied;
  }
  return {
    correction_ntl,
    trained_ntl: kept_ntl,
    metrics: {
      ...measured,
      ...(seen.tokens > 0 && {
        "mismatch/fracTruncated": seen.cut / seen.tokens,
        "mismatch/fracMasked": seen.dropped / seen.tokens,
        "mismatch/weightMean": seen.weight / seen.tokens,
        "mismatch/effectiveSampleSize":
          seen.squares === 0 ? 0 : (seen.weight * seen.weight) / (seen.tokens * seen.squares),
      }),
    },
  };
}

/** Both log-probs of the sampled tokens, with the rule's choice of the old ones; the batch itself where none are compared. */
export function withBothEngines(
  batch: Batch,
  { correction }: Recipe,
  trainer_ntl: Float64Array | undefined,
): Batch {
  if (trainer_ntl === undefined) return batch;
  const rolloutLogProb_ntl = batch.oldLogProb_ntl;
  const decoupled = correctionOf(correction).oldLogProb(correction) === "decoupled";
  return { ...batch, rolloutLogProb_ntl, ...(decoupled && { oldLogProb_ntl: trainer_ntl }) };
}
