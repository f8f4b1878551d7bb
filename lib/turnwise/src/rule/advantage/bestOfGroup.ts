import { isConstant, positionsByKey } from "../../base/statistics";
import type { Batch } from "../../batch/batch";
import type { GroupScaling } from "../scale/contract";
import { withinGroup } from "../scale";
import { advantage, undiscounted } from "./contract";
import type { ShapedReward } from "./credit";
import { divisorOf } from "./groupAdvantage";

export const bestOfGroup = advantage({
  help: "The margin by which the best trajectory of a group beats the second best; 0 for all others.",
  equation: String.raw`A_i=\max_jR_j-\max_{j\ne i}R_j`,
  source:
    "arXiv 2503.19595; verl 0.9.1, verl/trainer/ppo/core_algos.py:472 (grpo_passk), github.com/volcengine/verl",
  fields: {},
  label: () => "best of the group",
  comparesGroups: true,
  scalesItself: false,
  needsCritic: false,
  criticDiscount: undiscounted,
  wholeTrajectory: true,
  exactBaseline: () => undefined,
  assign: (_, { batch, reward, scale }) => ({
    level: "trajectory",
    advantage: bestOfGroupAdvantage(batch, reward, withinGroup(scale)),
  }),
});

/**
 * The best return of a group minus the best one without this trajectory.
 *
 * ```
 * A_i = (max_j R_j - max_{j != i} R_j) / F
 * ```
 * This is the margin over the second best for the only best trajectory, and 0 for every other; of several that are equally good,
 * none has any. The best of the others does not depend on trajectory i, so without a divisor the expected step is the gradient of
 * the expected maximum of a group, which is pass@G for returns of 0 and 1.
 *
 * @throws {RangeError} if a group has one member
 */
function bestOfGroupAdvantage(
  { groupId }: Batch,
  { return_n }: ShapedReward,
  { scale, unbiased = true, epsilon = scale === "mean" ? 0 : 1e-6 }: GroupScaling,
): Float64Array {
  const advantage = new Float64Array(groupId.length);
  for (const [group, members] of positionsByKey(groupId)) {
    if (members.length === 1) {
      throw new RangeError(
        `Cannot compute best-of-group advantages: every group must have at least 2 members, but group ${group} has 1.`,
      );
    }
    const returns = members.map((n) => return_n[n]!);
    if (isConstant(returns)) continue;
    const best = members.reduce((a, n) => (return_n[n]! > return_n[a]! ? n : a));
    const second = Math.max(...members.filter((n) => n !== best).map((n) => return_n[n]!));
    const divisor = divisorOf(returns, scale, unbiased, epsilon);
    if (divisor !== Infinity) advantage[best] = (return_n[best]! - second) / divisor;
  }
  return advantage;
}
