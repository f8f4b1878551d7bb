import { exp } from "../../base/elementary/exp";
import { expectLength } from "../../base/expect";
import { isConstant, positionsByKey } from "../../base/statistics";
import { oneOf, renamed } from "../../schema";
import { withinGroup } from "../scale";
import { advantage, undiscounted, type AdvantageInput } from "./contract";
import type { Credit } from "./credit";
import { tokenGae } from "./criticAdvantage";
import { divisorOf } from "./groupAdvantage";

export const optimalToken = advantage({
  help: "Return from a token on, minus its mean over the group's tokens at this place, weighted by how unlikely each trajectory has been so far.",
  equation: String.raw`A_t=G_t-\frac{\sum_jG_{j,t}W_{j,t}}{\sum_jW_{j,t}},\quad W_t=\sum_{k\le t}\Big(1-2\pi(y_k)+\sum_v\pi(v)^2\Big)`,
  source: "arXiv 2602.07078; verl 0.9.1, verl/trainer/ppo/core_algos.py:990",
  fields: {
    onlyMember: renamed(
      "alone",
      oneOf(["credit", "zero"], {
        help: "Credit of a token at a place that no other trajectory of the group reaches: the return from there on, or nothing.",
      }),
    ),
  },
  label: () => "optimal token baseline",
  comparesGroups: true,
  scalesItself: false,
  needsCritic: false,
  readsDistributions: true,
  criticDiscount: undiscounted,
  wholeTrajectory: false,
  exactBaseline: () => undefined,
  assign: (o, x) => optimalTokenAdvantage(x, o.onlyMember),
});

const what = "the optimal token baseline";

/**
 * The return to go of a token minus a weighted mean over the group.
 *
 * ```
 * A_t = (G_t - b_t) / F,   b_t = sum_j G_jt W_jt / sum_j W_jt,   W_t = sum_{k <= t} (1 - 2 pi(y_k) + sum_v pi(v)^2)
 * ```
 * t counts a trajectory's sampled tokens over all its turns, and the sums are over the trajectories of the group that have so
 * many. 1 - 2 pi + sum pi^2 is the squared norm of the score of one softmax row: W stands for that of the trajectory so far,
 * with which the baseline of least variance weighs. Distributions are those before the update. F is 1, or what the scale
 * divides the group's returns by; 1 where all of them are equal.
 *
 * @throws {TypeError} if there are no whole distributions
 * @see arXiv 2602.07078; verl 0.9.1, `compute_multi_turn_optimal_token_baseline_advantage`. Deviations: no 1e-8 beside the
 *   sum of weights; where all weights are 0, every step was certain and nothing is learned, the baseline is 0
 */
function optimalTokenAdvantage(
  { batch, reward, scale, oldLogProb_ntlv }: AdvantageInput,
  onlyMember: "credit" | "zero",
): Credit {
  const [N, T, L] = batch.shape;
  const size = N * T * L;
  if (oldLogProb_ntlv === undefined) {
    throw new TypeError(`Cannot compute ${what}: it needs full distributions, got none.`);
  }
  const V = oldLogProb_ntlv.length / size;
  expectLength(what, "oldLogProb_ntlv", oldLogProb_ntlv, [N, T, L, V]);
  const free = { value_nt: new Float64Array(N * T) };
  const { advantage: toGo } = tokenGae(batch, reward, { gamma: 1, lambda: 1 }, free);
  const cells = Array.from({ length: N }, (_, n) => sampledCells(batch.mask_ntl, n * T * L, T * L));
  const weight = new Float64Array(size);
  for (const row of cells) {
    let sum = 0;
    for (const i of row) {
      sum += 1 - 2 * exp(batch.oldLogProb_ntl[i]!);
      for (let v = i * V; v < (i + 1) * V; v++) sum += exp(2 * oldLogProb_ntlv[v]!);
      weight[i] = sum;
    }
  }
  const within = withinGroup(scale);
  const advantage = new Float64Array(size);
  for (const members of positionsByKey(batch.groupId).values()) {
    const longest = Math.max(...members.map((n) => cells[n]!.length));
    const returns = members.map((n) => reward.return_n[n]!);
    const divisor = isConstant(returns)
      ? 1
      : divisorOf(returns, within.scale, within.unbiased ?? true, within.epsilon ?? 0);
    for (let t = 0; t < longest; t++) {
      const here = members.filter((n) => t < cells[n]!.length).map((n) => cells[n]![t]!);
      if (here.length === 1 && onlyMember === "zero") continue;
      const baseline = here.length === 1 ? 0 : weightedMean(here, toGo, weight);
      for (const i of here) advantage[i] = divisor === Infinity ? 0 : (toGo[i]! - baseline) / divisor;
    }
  }
  return { level: "token", advantage };
}

function weightedMean(cells: readonly number[], of: Float64Array, weight: Float64Array): number {
  let sum = 0;
  let weights = 0;
  for (const i of cells) {
    sum += weight[i]! * of[i]!;
    weights += weight[i]!;
  }
  return weights === 0 ? 0 : sum / weights;
}

function sampledCells(mask_ntl: Uint8Array, from: number, count: number): number[] {
  const cells: number[] = [];
  for (let i = from; i < from + count; i++) if (mask_ntl[i] === 1) cells.push(i);
  return cells;
}
