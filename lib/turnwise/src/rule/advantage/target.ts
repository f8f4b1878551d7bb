import { exp } from "../../base/elementary/exp";
import { positionsByKey } from "../../base/statistics";
import type { Batch } from "../../batch/batch";
import { number } from "../../schema";
import { withinGroup } from "../scale";
import { advantage, undiscounted } from "./contract";
import { groupAdvantage64 } from "./groupAdvantage";

export const target = advantage({
  help: "The share of a trajectory in a target, which moves its group's probability to what earned more, minus its share under the policy; times the group's size.",
  equation: String.raw`A_i=G(q_i-p_i),\quad p_i=\frac{\pi_\theta(\tau_i)}{\sum_j\pi_\theta(\tau_j)},\quad q_i=\frac{p^{old}_ie^{u_i/\eta}}{\sum_jp^{old}_je^{u_j/\eta}},\quad u_i=\frac{R_i-\mathrm{mean}(R)}{F}`,
  source:
    "TPO, arXiv 2604.06159; src/tpo/algorithms.py:296 (target), src/tpo/experiments/_trial.py:372 (loss) in github.com/JeanKaddour/tpo at 73473b9",
  fields: {
    eta: number(1, {
      above: 0,
      help: "Temperature of the target: smaller values move more probability to what earned most.",
    }),
  },
  label: ({ eta }) => `target - share, eta ${eta}`,
  comparesGroups: true,
  scalesItself: true,
  needsCritic: false,
  criticDiscount: undiscounted,
  wholeTrajectory: true,
  exactBaseline: () => undefined,
  assign({ eta }, { batch, reward, scale }) {
    const score_n = groupAdvantage64(reward.return_n, batch.groupId, {
      baseline: "mean",
      ...withinGroup(scale),
    });
    const logProb_n = ofTrajectories(batch, batch.oldLogProb_ntl);
    const share_n = shares(batch, logProb_n);
    const target_n = shares(
      batch,
      logProb_n.map((logProb, n) => logProb + score_n[n]! / eta),
    );
    const size_n = sizes(batch);
    return {
      level: "trajectory",
      advantage: target_n.map((q, n) => size_n[n]! * (q - share_n[n]!)),
    };
  },
  renewed(batch, advantage_ntl, logProb_ntl) {
    const [, T, L] = batch.shape;
    const [before_n, now_n] = [batch.oldLogProb_ntl, logProb_ntl].map((logs) =>
      shares(batch, ofTrajectories(batch, logs)),
    ) as [Float64Array, Float64Array];
    const size_n = sizes(batch);
    return advantage_ntl.map((A, i) => {
      if (batch.mask_ntl[i] !== 1) return A;
      const n = Math.floor(i / (T * L));
      return A + size_n[n]! * (before_n[n]! - now_n[n]!);
    });
  },
});

/** Sum over the sampled tokens of each trajectory, [N]. */
function ofTrajectories({ shape: [N, T, L], mask_ntl }: Batch, logProb_ntl: ArrayLike<number>): Float64Array {
  const logProb_n = new Float64Array(N);
  for (let i = 0; i < mask_ntl.length; i++) {
    if (mask_ntl[i] === 1) logProb_n[Math.floor(i / (T * L))]! += logProb_ntl[i]!;
  }
  return logProb_n;
}

/** Softmax over the members of each group. */
function shares({ groupId }: Batch, log_n: Float64Array): Float64Array {
  const share_n = new Float64Array(log_n.length);
  for (const members of positionsByKey(groupId).values()) {
    const most = Math.max(...members.map((n) => log_n[n]!));
    let sum = 0;
    for (const n of members) sum += share_n[n] = exp(log_n[n]! - most);
    for (const n of members) share_n[n]! /= sum;
  }
  return share_n;
}

function sizes({ groupId }: Batch): Float64Array {
  const size_n = new Float64Array(groupId.length);
  for (const members of positionsByKey(groupId).values()) for (const n of members) size_n[n] = members.length;
  return size_n;
}
