import type { Batch } from "../../batch/batch";
import type { GroupScaling } from "../scale/contract";
import type { ShapedReward } from "./credit";
import { groupAdvantage64, whiten } from "./groupAdvantage";

/**
 * GDPO: every part of the reward is compared within its group by itself, so that none drowns the others.
 *
 * ```
 * A_i = whiten_batch(sum_k A^(k)_i),   A^(k) = (R^(k) - mean_group(R^(k))) / F_k
 * ```
 * The parts are what the last turn earned, what those before it earned, and each term with which the rule shapes the reward:
 * the penalty on length, step rewards, an own reward, the KL. A part in which a group does not differ says nothing of it.
 *
 * @see GDPO, arXiv 2601.05242; TRL 1.16.0, `multi_objective_aggregation="normalize_then_sum"`, all weights 1
 */
export function componentAdvantage(
  batch: Batch,
  reward: ShapedReward,
  scaling: GroupScaling,
  o: { readonly splitTurns: boolean; readonly whiten: boolean },
): Float64Array {
  const N = batch.shape[0];
  const sum = new Float64Array(N);
  for (const part_n of partsOf(batch, reward, o.splitTurns)) {
    const advantage_n = groupAdvantage64(part_n, batch.groupId, { baseline: "mean", ...scaling });
    for (let n = 0; n < N; n++) sum[n]! += advantage_n[n]!;
  }
  if (!o.whiten) return sum;
  const rows = Array.from({ length: N }, (_, n) => n).filter((n) => sampled(batch, n));
  const white = whiten(
    Float64Array.from(rows, (n) => sum[n]!),
    scaling.unbiased ?? true,
    scaling.epsilon ?? 1e-6,
  );
  const advantage = new Float64Array(N);
  rows.forEach((n, k) => (advantage[n] = white[k]!));
  return advantage;
}

/** The parts of each trajectory's return, [N] each; they sum to it. */
function partsOf(
  batch: Batch,
  { reward_nt, environment_nt = reward_nt, terms_n = [] }: ShapedReward,
  split: boolean,
): readonly Float64Array[] {
  const [N, T] = batch.shape;
  const last_n = new Float64Array(N);
  const earlier_n = new Float64Array(N);
  for (let n = 0; n < N; n++) {
    const turns = batch.turnCount_n[n]!;
    if (turns > 0) last_n[n] = environment_nt[n * T + turns - 1]!;
    for (let t = 0; t < turns - 1; t++) earlier_n[n]! += environment_nt[n * T + t]!;
  }
  if (split) return [last_n, earlier_n, ...terms_n];
  return [last_n.map((last, n) => last + earlier_n[n]!), ...terms_n];
}

function sampled({ shape: [, T, L], mask_ntl }: Batch, n: number): boolean {
  for (let i = n * T * L; i < (n + 1) * T * L; i++) if (mask_ntl[i] === 1) return true;
  return false;
}
