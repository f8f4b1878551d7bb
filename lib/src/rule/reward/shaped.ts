import type { Batch } from "../../batch/batch";
import type { ShapedReward } from "../advantage/credit";
import { expectLength } from "../../base/expect";
import type { Recipe } from "../recipe";
import { klEstimate } from "../regulariser/kl";
import { overlongPenalty } from "./overlong";
import { addOwnReward } from "./own";

/**
 * The batch's rewards with the row's shaping added, to the turn in which it falls and to the return.
 *
 * ```
 * overlong  the penalty of the trajectory's length, on its last turn
 * own       what a function of the caller's adds, on the last turn or on each
 * kl        -coef * estimate of log pi_old - log pi_ref, on every sampled token
 * ```
 *
 * @throws {TypeError} if the row needs reference log-probs and there are none
 * @example
 * import { make, recipe, scriptedBatch, shapedReward } from "turnwise";
 * const env = make("LookUp-v0");
 * const batch = scriptedBatch(env, [[["ANSWER", "0"]], [["LOOKUP", "0"], ["ANSWER", "3"]]]);
 * const row = recipe("grpo", { reward: { overlong: { maxLength: 4, buffer: 2 } } });
 * shapedReward(batch, row).return_n; // => [-0.33, 0]
 * @see REINFORCE++ and PPO for RLHF put the KL into the reward
 */
export function shapedReward(batch: Batch, recipe: Recipe, refLogProb_ntl?: ArrayLike<number>): ShapedReward {
  const { overlong, kl } = recipe.reward;
  // A row from a file of an earlier version has no such cell.
  const own = recipe.reward.own ?? null;
  if (overlong === null && kl === null && own === null)
    return { return_n: batch.return_n, reward_nt: batch.reward_nt };
  const [N, T, L] = batch.shape;
  const return_n = Float64Array.from(batch.return_n);
  const reward_nt = Float64Array.from(batch.reward_nt);
  if (overlong !== null) {
    for (let n = 0; n < N; n++) {
      let length = 0;
      for (let i = n * T * L; i < (n + 1) * T * L; i++) if (batch.mask_ntl[i] === 1) length += 1;
      const penalty = overlongPenalty(length, overlong);
      return_n[n]! += penalty;
      const last = batch.turnCount_n[n]! - 1;
      if (last >= 0) reward_nt[n * T + last]! += penalty;
    }
  }
  if (own !== null) addOwnReward(own, batch, { return_n, reward_nt });
  if (kl === null) return { return_n, reward_nt };
  if (refLogProb_ntl === undefined) {
    throw new TypeError(
      `Cannot compute advantages as recipe ${recipe.name} with reward.kl must get refLogProb_ntl: got none`,
    );
  }
  expectLength("advantages", "refLogProb_ntl", refLogProb_ntl, batch.shape);
  const charge_ntl = new Float64Array(N * T * L);
  for (let i = 0; i < charge_ntl.length; i++) {
    if (batch.mask_ntl[i] !== 1) continue;
    const estimate = klEstimate(kl.estimator, batch.oldLogProb_ntl[i]!, refLogProb_ntl[i]!).value;
    charge_ntl[i] = -kl.coef * estimate;
    reward_nt[Math.floor(i / L)]! += charge_ntl[i]!;
    return_n[Math.floor(i / (T * L))]! += charge_ntl[i]!;
  }
  return { return_n, reward_nt, charge_ntl };
}
