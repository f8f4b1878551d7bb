import { square } from "../../base/elementary/square";
import { expectLength } from "../../base/expect";
import { isConstant, positionsByKey } from "../../base/statistics";
import type { Batch } from "../../batch/batch";
import { limitedExp } from "../ratio/units";
import { withinGroup } from "../scale";
import { advantage, undiscounted, type AdvantageInput } from "./contract";
import type { Credit } from "./credit";
import { divisorOf } from "./groupAdvantage";

export const optimalTrajectory = advantage({
  help: "The return minus the mean of its group, in which a trajectory counts by its squared importance weight and the squared norm of its own gradient.",
  equation: String.raw`A_i=R_i-\frac{\sum_jw_j^2\lVert\nabla\log\pi(\tau_j)\rVert^2R_j}{\sum_jw_j^2\lVert\nabla\log\pi(\tau_j)\rVert^2},\quad w_j=\frac{\pi_{old}(\tau_j)}{\pi_{rollout}(\tau_j)}`,
  source:
    "VCPO, arXiv 2602.17616; github.com/mit-han-lab/vcpo at c7f030f, recipe/fully_async_policy/staleness_utils.py",
  fields: {},
  label: () => "optimal trajectory baseline",
  comparesGroups: true,
  scalesItself: false,
  needsCritic: false,
  readsGradients: true,
  criticDiscount: undiscounted,
  wholeTrajectory: true,
  exactBaseline: () => undefined,
  assign: (_, x) => optimalTrajectoryAdvantage(x),
});

const what = "the optimal trajectory baseline";

/**
 * The return minus the mean of the group in which a trajectory weighs W.
 *
 * ```
 * A_i = (R_i - sum_j W_j R_j / sum_j W_j) / F,   W_j = w_j^2 |grad log pi(tau_j)|^2
 * ```
 * With this baseline the estimator `w (R - b) grad log pi` has the least variance. The gradient is that in the policy's own
 * parameters, before the update; w is the trajectory's ratio of trainer to rollout engine, 1 where the rule compares none.
 * F is 1, or what the scale divides the group's returns by. Its own return is part of the baseline, with a weight that
 * depends on itself: the expected step is no multiple of the exact gradient.
 *
 * @throws {TypeError} if there are no squared norms
 * @see VCPO, arXiv 2602.17616; mit-han-lab/vcpo at c7f030f, `compute_opob_baseline`. Deviations: no 1e-8 beside the sum of
 *   weights; where all weights are 0, every step was certain and nothing is learned, the baseline is 0
 */
function optimalTrajectoryAdvantage({ batch, reward, scale, gradientSquare_n }: AdvantageInput): Credit {
  const [N] = batch.shape;
  if (gradientSquare_n === undefined) {
    throw new TypeError(
      `Cannot compute ${what}: it needs the squared norm of each trajectory's gradient, got none.`,
    );
  }
  expectLength(what, "gradientSquare_n", gradientSquare_n, [N]);
  const { return_n } = reward;
  const within = withinGroup(scale);
  const advantage = new Float64Array(N);
  const weight = Float64Array.from({ length: N }, (_, n) => square(ratioOf(batch, n)) * gradientSquare_n[n]!);
  for (const members of positionsByKey(batch.groupId).values()) {
    const returns = members.map((n) => return_n[n]!);
    const divisor = divisorOf(returns, within.scale, within.unbiased ?? true, within.epsilon ?? 0);
    if (divisor === Infinity || isConstant(returns)) continue;
    let weights = 0;
    let sum = 0;
    for (const n of members) {
      weights += weight[n]!;
      sum += weight[n]! * return_n[n]!;
    }
    const baseline = weights === 0 ? 0 : sum / weights;
    for (const n of members) advantage[n] = (return_n[n]! - baseline) / divisor;
  }
  return { level: "trajectory", advantage };
}

/** The ratio of trainer to rollout engine, over all sampled tokens of a trajectory. */
function ratioOf(
  { shape: [, T, L], mask_ntl, oldLogProb_ntl, rolloutLogProb_ntl }: Batch,
  n: number,
): number {
  if (rolloutLogProb_ntl === undefined) return 1;
  let sum = 0;
  for (let i = n * T * L; i < (n + 1) * T * L; i++) {
    if (mask_ntl[i] === 1) sum += oldLogProb_ntl[i]! - rolloutLogProb_ntl[i]!;
  }
  return limitedExp(sum);
}
