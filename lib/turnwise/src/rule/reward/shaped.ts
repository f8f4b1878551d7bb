import type { Batch } from "../../batch/batch";
import { cellName } from "../../batch/cells";
import type { ShapedReward } from "../advantage/credit";
import { expectLength } from "../../base/expect";
import type { Recipe } from "../recipe";
import { klEstimate, writtenOut } from "../regularizer/kl";
import { exactKl } from "../regularizer/kl/exact";
import { overlongPenalty } from "./overlong";
import { addOwnReward } from "./own";
import { stepOf } from "./step";

/** Log-probs of every token of the vocabulary in each cell, [N, T, L, V]: before the update, and the reference's, where a rule reads them. */
export interface WholeDistributions {
  readonly oldLogProb_ntlv?: ArrayLike<number>;
  readonly refLogProb_ntlv?: ArrayLike<number>;
}

/**
 * The batch's rewards with the rule's shaping added, to the turn in which it falls and to the return.
 *
 * ```
 * environment  times its weight
 * overlong  the penalty of the trajectory's length, on its last turn
 * own       what a function of the caller's adds, on the last turn or on each
 * step      what the trainer says of each turn in `step_nt`, where the rule pays it; a batch without it says nothing
 * kl        -coef * estimate of log pi_old - log pi_ref, on every sampled token
 * ```
 *
 * An exact one reads `whole` distributions.
 *
 * @throws {RangeError} if a divergence is not finite
 * @throws {TypeError} if the rule needs reference log-probs and there are none
 * @example
 * import { make, recipe, scriptedBatch, shapedReward } from "turnwise";
 * const env = make("LookUp-v0");
 * const batch = scriptedBatch(env, [[["ANSWER", "0"]], [["LOOKUP", "0"], ["ANSWER", "3"]]]);
 * const rule = recipe("grpo", { reward: { overlong: { maxLength: 4, buffer: 2 } } });
 * shapedReward(batch, rule).return_n; // => [-0.33, 0]
 * @see REINFORCE++ and PPO for RLHF put the KL into the reward
 */
export function shapedReward(
  batch: Batch,
  recipe: Recipe,
  refLogProb_ntl?: ArrayLike<number>,
  whole?: WholeDistributions,
): ShapedReward {
  const { overlong, kl } = recipe.reward;
  // A rule from a file of an earlier version has no such field.
  const own = recipe.reward.custom ?? null;
  const step_nt = stepOf(recipe.reward.step).paid ? batch.step_nt : undefined;
  const weight = (recipe.reward.environment as number | undefined) ?? 1;
  if (overlong === null && kl === null && own === null && step_nt === undefined && weight === 1)
    return { return_n: batch.return_n, reward_nt: batch.reward_nt };
  const [N, T, L] = batch.shape;
  const return_n = weighted(batch.return_n, weight);
  const reward_nt = weighted(batch.reward_nt, weight);
  const environment_nt = reward_nt.slice();
  const terms_n: Float64Array[] = [];
  let before_n = return_n.slice();
  const termAdded = (): void => {
    terms_n.push(return_n.map((R, n) => R - before_n[n]!));
    before_n = return_n.slice();
  };
  if (overlong !== null) {
    for (let n = 0; n < N; n++) {
      let length = 0;
      for (let i = n * T * L; i < (n + 1) * T * L; i++) if (batch.mask_ntl[i] === 1) length += 1;
      const penalty = overlongPenalty(length, overlong);
      return_n[n]! += penalty;
      const last = batch.turnCount_n[n]! - 1;
      if (last >= 0) reward_nt[n * T + last]! += penalty;
    }
    termAdded();
  }
  step_nt?.forEach((paid, nt) => {
    reward_nt[nt]! += paid;
    return_n[Math.floor(nt / T)]! += paid;
  });
  if (step_nt !== undefined) termAdded();
  if (own !== null) {
    addOwnReward(own, batch, { return_n, reward_nt });
    termAdded();
  }
  if (kl === null) return { return_n, reward_nt, environment_nt, terms_n };
  if (refLogProb_ntl === undefined) {
    throw new TypeError(
      `Cannot compute advantages: recipe ${recipe.name} with reward.kl needs refLogProb_ntl, got none.`,
    );
  }
  expectLength("advantages", "refLogProb_ntl", refLogProb_ntl, batch.shape);
  const { oldLogProb_ntlv, refLogProb_ntlv } = whole ?? {};
  const exact = oldLogProb_ntlv && refLogProb_ntlv && { oldLogProb_ntlv, refLogProb_ntlv };
  if (kl.estimator === "exact" && exact === undefined) {
    throw new TypeError(
      `Cannot compute advantages: recipe ${recipe.name} with the exact KL of reward.kl needs full distributions, got none.`,
    );
  }
  const charge_ntl = new Float64Array(N * T * L);
  for (let i = 0; i < charge_ntl.length; i++) {
    if (batch.mask_ntl[i] !== 1) continue;
    const logProb = batch.oldLogProb_ntl[i]!;
    const divergence =
      kl.estimator === "exact"
        ? exactAt(exact!, i, charge_ntl.length)
        : klEstimate(writtenOut({ estimator: kl.estimator, clamp: kl.clamp ?? null }), {
            logProb,
            other: refLogProb_ntl[i]!,
            oldLogProb: logProb,
          }).value;
    if (!Number.isFinite(divergence)) refuse(batch, i, divergence, refLogProb_ntl[i]!);
    charge_ntl[i] = -kl.coef * divergence;
    reward_nt[Math.floor(i / L)]! += charge_ntl[i]!;
    return_n[Math.floor(i / (T * L))]! += charge_ntl[i]!;
  }
  termAdded();
  return { return_n, reward_nt, charge_ntl, environment_nt, terms_n };
}

function weighted(rewards: ArrayLike<number>, weight: number): Float64Array {
  return Float64Array.from(rewards, (reward) => (weight === 0 ? 0 : weight * reward));
}

function exactAt(
  { oldLogProb_ntlv, refLogProb_ntlv }: Required<WholeDistributions>,
  cell: number,
  cells: number,
): number {
  const size = oldLogProb_ntlv.length / cells;
  return exactKl("reverse", { logProbs: oldLogProb_ntlv, others: refLogProb_ntlv, at: cell * size, size });
}

function refuse(batch: Batch, cell: number, divergence: number, reference: number): never {
  throw new RangeError(
    `Cannot compute advantages: the divergence of reward.kl must be finite, but it is ${divergence} at ${cellName(batch, cell)}, ` +
      `where the log-prob is ${batch.oldLogProb_ntl[cell]!} and the reference's is ${reference}. reward.kl.clamp limits it.`,
  );
}
