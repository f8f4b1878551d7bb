import { positionsByKey } from "../../base/statistics";
import type { Batch } from "../../batch/batch";
import { withinGroup, type ScaleChoice } from "../scale";
import type { Credit, ShapedReward } from "./credit";
import { groupAdvantage64, type GroupAdvantageOptions } from "./groupAdvantage";

interface Gigpo {
  readonly weight: number;
  readonly gamma: number;
  readonly allowSingleton: boolean;
}

/**
 * Episode advantage plus the advantage among all visits of the same anchor state.
 *
 * ```
 * A_t     = A^E + weight * A^S_t
 * A^E     = (R_i - mean_group(R)) / F
 * A^S_t   = (Ret_t - mean_{same observation, same task}(Ret)) / F,   Ret_t = sum_{k >= t} gamma^{k-t} r_k
 * ```
 * F is 1 (scale `none`) or the group's standard deviation + epsilon. The anchor is the current observation, not the
 * history: visits with different pasts are pooled, which is an assumption. An anchor visited once has A^S = 0.
 *
 * @see GiGPO, arXiv 2505.10978; `gigpo/core_gigpo.py` in `langfengQ/verl-agent`. Deviations: that code takes the episode
 *   mean over steps by default, so that long trajectories weigh more; here every trajectory counts once
 */
export function gigpoAdvantage(
  batch: Batch,
  reward: ShapedReward,
  choice: Gigpo,
  scale: ScaleChoice,
): Credit {
  const [N, T] = batch.shape;
  const options = {
    baseline: "mean",
    ...withinGroup(scale),
  } as const;
  const episode_n = groupAdvantage64(reward.return_n, batch.groupId, {
    ...options,
    allowSingleton: choice.allowSingleton,
  });
  const visits: { nt: number; anchor: string; toGo: number }[] = [];
  for (let n = 0; n < N; n++) {
    let toGo = 0;
    for (let t = batch.turnCount_n[n]! - 1; t >= 0; t--) {
      toGo = reward.reward_nt[n * T + t]! + choice.gamma * toGo;
      const anchor = JSON.stringify([batch.groupId[n], batch.observation_nt[n]![t]]);
      visits.push({ nt: n * T + t, anchor, toGo });
    }
  }
  const step = amongRepeated(
    visits.map(({ toGo }) => toGo),
    visits.map(({ anchor }) => anchor),
    options,
  );
  const advantage = new Float64Array(N * T);
  visits.forEach(({ nt }, k) => {
    advantage[nt] = episode_n[Math.floor(nt / T)]! + choice.weight * step[k]!;
  });
  return { level: "turn", advantage };
}

/** Advantage of each value among those with the same key; 0 where no other has it. */
export function amongRepeated(
  values: readonly number[],
  keys: readonly string[],
  options: GroupAdvantageOptions,
): Float64Array {
  const repeated = [...positionsByKey(keys).values()].filter((members) => members.length > 1).flat();
  const advantage = new Float64Array(values.length);
  if (repeated.length === 0) return advantage;
  const among = groupAdvantage64(
    repeated.map((i) => values[i]!),
    repeated.map((i) => keys[i]!),
    options,
  );
  repeated.forEach((i, k) => (advantage[i] = among[k]!));
  return advantage;
}
