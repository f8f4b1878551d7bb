import type { Batch } from "../../batch/batch";
import { limitedExp } from "../ratio/units";
import type { Recipe } from "../recipe";
import { stepScaleOf } from "./index";

/**
 * The factor on the learning rate of one optimizer step; undefined for a rule whose steps all have the optimizer's rate.
 *
 * ```
 * w_i = exp(sum of log pi_theta - log pi_rollout over the trajectory's sampled tokens in these turns)
 * ```
 * limited to e^20 as other ratios are. A trajectory without such a token has no weight. Where no correction compares the
 * engines, the log-probs that the batch was sampled with are the rollout's.
 *
 * @param logProb_ntl of the policy that is about to move
 * @see VCPO, arXiv 2602.17616; mit-han-lab/vcpo at c7f030f, `compute_ess_info`. Deviation: no 1e-8 beside the sum of squares
 */
export function stepScaleOfStep(
  { update: { stepScale } }: Recipe,
  batch: Batch,
  turns: readonly number[],
  logProb_ntl: ArrayLike<number>,
): number | undefined {
  const { active, factor } = stepScaleOf(stepScale);
  if (!active) return undefined;
  const [N, T, L] = batch.shape;
  const rollout_ntl = batch.rolloutLogProb_ntl ?? batch.oldLogProb_ntl;
  const ratios: number[] = [];
  for (let n = 0; n < N; n++) {
    let sum = 0;
    let tokens = 0;
    for (const t of turns) {
      const from = (n * T + t) * L;
      for (let i = from; i < from + L; i++) {
        if (batch.mask_ntl[i] !== 1) continue;
        sum += logProb_ntl[i]! - rollout_ntl[i]!;
        tokens++;
      }
    }
    if (tokens > 0) ratios.push(limitedExp(sum));
  }
  return ratios.length === 0 ? 1 : factor(stepScale, ratios);
}
