import type { Batch } from "../../batch/batch";
import { withinGroup, type ScaleChoice } from "../scale";
import type { Credit, ShapedReward } from "./credit";
import { groupAdvantage64, type GroupAdvantageOptions } from "./groupAdvantage";

interface PerTurn {
  readonly credit: "reward" | "rewardToGo" | "return";
  readonly baseline: "mean" | "leaveOneOut";
  readonly onlyMember: "zero" | "credit";
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
 * A_k = (c_k - mean_{same task, same k}(c)) / F,   c_k = r_k, sum_{j >= k} r_j or R
 * ```
 * The mean is over the trajectories that take a turn k, with or without its own. Groups with fewer than `minGroup` turns
 * get 0; a turn that is alone keeps its credit where the rule says so.
 *
 * Others at turn k are drawn without regard to its own trajectory: with `leaveOneOut`, and credit for those alone, the
 * baseline is independent of what it is subtracted from, and the gradient stays unbiased.
 *
 * @see CM2, arXiv 2602.12268, `namezhenzhang/CM2-RLCR-Tool-Agent` (reward, no std, groups of at most 4 ignored); AgentCreditBench,
 *   `hectopascal/agent-credit-bench`, `estimators/turn_loo.py` at 02afaf3 (return, leave-one-out, credit for those alone)
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
      const credit = { reward: own, rewardToGo: toGo, return: reward.return_n[n]! }[choice.credit];
      samples.push({ nt: n * T + t, key: JSON.stringify([batch.groupId[n], t]), credit });
    }
  }
  const large = ofSize(samples, (size) => size >= Math.max(2, choice.minGroup));
  const advantage = normalized(batch, large, scale, false, choice.baseline);
  if (choice.onlyMember === "credit") {
    for (const { nt, credit } of ofSize(samples, (size) => size === 1)) advantage[nt] = credit;
  }
  return { level: "turn", advantage };
}

/**
 * Group advantage whose groups are one task and one agent: every turn counts with its trajectory's return.
 *
 * ```
 * A_{i,t} = (R_i - mean_k) / sigma_k,   k = (task, agent that took turn t)
 * ```
 *
 * With `step_nt`, R_i has the step credit of the turn beside it.
 *
 * @see Dr. MAS, arXiv 2602.08847, `langfengQ/DrMAS: compute_advantage` (group key `uid_agent`)
 */
export function agentAdvantage(
  batch: Batch,
  reward: ShapedReward,
  scale: ScaleChoice,
  allowSingleton: boolean,
  step_nt?: Float64Array,
): Credit {
  const samples: TurnSample[] = [];
  const [N, T] = batch.shape;
  for (let n = 0; n < N; n++) {
    for (let t = 0; t < batch.turnCount_n[n]!; t++) {
      const agent = batch.agentId_nt?.[n]?.[t] ?? "agent";
      samples.push({
        nt: n * T + t,
        key: JSON.stringify([batch.groupId[n], agent]),
        credit: reward.return_n[n]! + (step_nt?.[n * T + t] ?? 0),
      });
    }
  }
  return { level: "turn", advantage: normalized(batch, samples, scale, allowSingleton) };
}

function normalized(
  batch: Batch,
  samples: readonly TurnSample[],
  scale: ScaleChoice,
  allowSingleton: boolean,
  baseline: "mean" | "leaveOneOut" = "mean",
): Float64Array {
  const advantage = new Float64Array(batch.shape[0] * batch.shape[1]);
  if (samples.length === 0) return advantage;
  const options: GroupAdvantageOptions = {
    baseline,
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

/** The samples of those groups whose size is wanted. */
function ofSize(samples: readonly TurnSample[], wanted: (size: number) => boolean): TurnSample[] {
  const counts = new Map<string, number>();
  for (const { key } of samples) counts.set(key, (counts.get(key) ?? 0) + 1);
  return samples.filter(({ key }) => wanted(counts.get(key)!));
}
