import type { Batch } from "../../batch/batch";
import { withinGroup, type ScaleChoice } from "../scale";
import type { Credit, ShapedReward } from "./credit";
import { groupAdvantage64, type GroupAdvantageOptions } from "./groupAdvantage";

interface PerTurn {
  readonly credit: "reward" | "rewardToGo";
  readonly minGroup: number;
}

interface TurnSample {
  readonly nt: number;
  readonly key: string;
  readonly credit: number;
}

/**
 * The reward of turn k minus the mean over the turns of the same index and task.
 *
 * ```
 * A_k = (c_k - mean_{same task, same k}(c)) / F,   c_k = r_k or sum_{j >= k} r_j
 * ```
 * Groups with fewer than `minGroup` turns get 0.
 *
 * @see CM2, arXiv 2602.12268, `namezhenzhang/CM2-RLCR-Tool-Agent` (reward, no std, groups of at most 4 ignored)
 */
export function perTurnAdvantage(
  batch: Batch,
  reward: ShapedReward,
  choice: PerTurn,
  scale: ScaleChoice,
): Credit {
  const samples: TurnSample[] = [];
  const [N, T] = batch.shape;
  for (let n = 0; n < N; n++) {
    let toGo = 0;
    for (let t = batch.turnCount_n[n]! - 1; t >= 0; t--) {
      const own = reward.reward_nt[n * T + t]!;
      toGo += own;
      const credit = choice.credit === "reward" ? own : toGo;
      samples.push({ nt: n * T + t, key: JSON.stringify([batch.groupId[n], t]), credit });
    }
  }
  const large = ofSize(samples, Math.max(2, choice.minGroup));
  return { level: "turn", advantage: normalised(batch, large, scale, false) };
}

/**
 * Group advantage whose groups are one task and one agent: every turn counts with its trajectory's return.
 *
 * ```
 * A_{i,t} = (R_i - mean_k) / sigma_k,   k = (task, agent that took turn t)
 * ```
 *
 * @see Dr. MAS, arXiv 2602.08847, `langfengQ/DrMAS: compute_advantage` (group key `uid_agent`)
 */
export function agentAdvantage(
  batch: Batch,
  reward: ShapedReward,
  scale: ScaleChoice,
  allowSingleton: boolean,
): Credit {
  const samples: TurnSample[] = [];
  const [N, T] = batch.shape;
  for (let n = 0; n < N; n++) {
    for (let t = 0; t < batch.turnCount_n[n]!; t++) {
      const agent = batch.agentId_nt?.[n]?.[t] ?? "agent";
      samples.push({
        nt: n * T + t,
        key: JSON.stringify([batch.groupId[n], agent]),
        credit: reward.return_n[n]!,
      });
    }
  }
  return { level: "turn", advantage: normalised(batch, samples, scale, allowSingleton) };
}

function normalised(
  batch: Batch,
  samples: readonly TurnSample[],
  scale: ScaleChoice,
  allowSingleton: boolean,
): Float64Array {
  const advantage = new Float64Array(batch.shape[0] * batch.shape[1]);
  if (samples.length === 0) return advantage;
  const options: GroupAdvantageOptions = {
    baseline: "mean",
    allowSingleton,
    ...withinGroup(scale),
  };
  const values = groupAdvantage64(
    samples.map(({ credit }) => credit),
    samples.map(({ key }) => key),
    options,
  );
  samples.forEach(({ nt }, k) => (advantage[nt] = values[k]!));
  return advantage;
}

function ofSize(samples: readonly TurnSample[], least: number): TurnSample[] {
  const counts = new Map<string, number>();
  for (const { key } of samples) counts.set(key, (counts.get(key) ?? 0) + 1);
  return samples.filter(({ key }) => counts.get(key)! >= least);
}
