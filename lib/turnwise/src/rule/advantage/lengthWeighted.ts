import { isConstant, positionsByKey } from "../../base/statistics";
import type { Batch } from "../../batch/batch";
import type { GroupScaling } from "../scale/contract";
import { withinGroup } from "../scale";
import { advantage, undiscounted } from "./contract";
import type { ShapedReward } from "./credit";
import { divisorOf } from "./groupAdvantage";
import { allowSingleton } from "./knobs";

export const lengthWeighted = advantage({
  help: "The return minus the mean of its group, in which a trajectory counts by its sampled tokens.",
  equation: String.raw`A_i=R_i-\frac{\sum_jl_jR_j}{\sum_jl_j},\quad l_j=\text{sampled tokens}`,
  source: "OPO, arXiv 2505.23585; verl 0.9.1, verl/trainer/ppo/core_algos.py:687",
  fields: { allowSingleton },
  label: () => "mean by length",
  comparesGroups: true,
  scalesItself: false,
  needsCritic: false,
  criticDiscount: undiscounted,
  wholeTrajectory: true,
  exactBaseline: () => undefined,
  assign: (o, { batch, reward, scale }) => ({
    level: "trajectory",
    advantage: lengthWeightedAdvantage(batch, reward, withinGroup(scale), o.allowSingleton),
  }),
});

/**
 * The return minus the length-weighted mean of its group.
 *
 * ```
 * A_i = (R_i - sum_j l_j R_j / sum_j l_j) / F,   l_j = tokens that the policy sampled
 * ```
 *
 * The baseline of least variance is E[|grad log pi|^2 R] / E[|grad log pi|^2]; OPO takes the length for the squared norm.
 * Its own return is part of the baseline, with a weight that depends on its own length: where lengths differ, the
 * expected gradient is not a multiple of the true one.
 *
 * @throws {RangeError} if a group has one member without `allowSingleton`, which then keeps its return, or no sampled token
 * @see OPO, arXiv 2505.23585; verl 0.9.1, `compute_opo_outcome_advantage`
 */
function lengthWeightedAdvantage(
  batch: Batch,
  { return_n }: ShapedReward,
  { scale, unbiased = true, epsilon = scale === "mean" ? 0 : 1e-6 }: GroupScaling,
  allowSingleton: boolean,
): Float64Array {
  const [N, T, L] = batch.shape;
  const length = Array.from({ length: N }, (_, n) => {
    let tokens = 0;
    for (let i = n * T * L; i < (n + 1) * T * L; i++) if (batch.mask_ntl[i] === 1) tokens += 1;
    return tokens;
  });
  const advantage = new Float64Array(N);
  for (const [group, members] of positionsByKey(batch.groupId)) {
    if (members.length === 1) {
      if (!allowSingleton) {
        throw new RangeError(
          `Cannot compute length-weighted advantages: every group must have at least 2 members, but group ${group} has 1.`,
        );
      }
      advantage[members[0]!] = return_n[members[0]!]!;
      continue;
    }
    const returns = members.map((n) => return_n[n]!);
    const divisor = divisorOf(returns, scale, unbiased, epsilon);
    if (divisor === Infinity || isConstant(returns)) continue;
    let tokens = 0;
    let sum = 0;
    for (const n of members) {
      tokens += length[n]!;
      sum += length[n]! * return_n[n]!;
    }
    if (tokens === 0) {
      throw new RangeError(
        `Cannot compute length-weighted advantages: every group must have a sampled token, but group ${group} has none.`,
      );
    }
    for (const n of members) advantage[n] = (return_n[n]! - sum / tokens) / divisor;
  }
  return advantage;
}
