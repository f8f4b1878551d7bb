import { power } from "../../base/elementary/power";
import type { Batch } from "../../batch/batch";
import { withinGroup, type ScaleChoice } from "../scale";
import { amongRepeated } from "./anchorStates";
import type { Credit, ShapedReward } from "./credit";
import { groupAdvantage64 } from "./groupAdvantage";

interface Hgpo {
  readonly history: number;
  readonly alpha: number;
  readonly episode: boolean;
  readonly gamma: number;
}

/** Credit that a group gives a visit, and the number of observations its members share; 0 for the entire episode. */
interface Said {
  readonly shared: number;
  readonly advantage: number;
}

/** An advantage of this size is the rounding of a 0. */
const NOTHING = 1e-9;

/**
 * GiGPO's anchor groups, refined by what was seen before.
 *
 * ```
 * A_t    = sum_k w_k A^(k)_t / sum_k w_k,   w_k = (k + 1)^alpha,   k = 1 ... history + 1
 * A^(k)  = (Ret_t - mean(Ret)) / F over the visits of the task that end with the same k observations
 * ```
 * Groups of one visit say nothing, and neither does a group whose advantage for this visit is 0: both are left out of the
 * average. With `episode`, the group advantage of the episode joins it as k = 0. F is 1 (scale `none`) or the group's
 * deviation.
 *
 * @see HGPO, ICLR 2026; `recipe/hgpo/core_hgpo.py` in `xlan156/verl-agent` at 8ca3a46, which has verl-agent's pull request 232
 */
export function historyGroupAdvantage(
  batch: Batch,
  reward: ShapedReward,
  choice: Hgpo,
  scale: ScaleChoice,
): Credit {
  const [N, T] = batch.shape;
  const options = { baseline: "mean", ...withinGroup(scale) } as const;
  const said: Said[][] = Array.from({ length: N * T }, () => []);
  if (choice.episode) {
    const episode_n = groupAdvantage64(reward.return_n, batch.groupId, options);
    episode_n.forEach((advantage, n) => {
      for (let t = 0; t < batch.turnCount_n[n]!; t++) said[n * T + t]!.push({ shared: 0, advantage });
    });
  }
  const toGo_nt = returnsToGo(batch, reward, choice.gamma);
  for (let shared = 1; shared <= choice.history + 1; shared++) {
    const visits: number[] = [];
    const keys: string[] = [];
    for (let n = 0; n < N; n++) {
      for (let t = shared - 1; t < batch.turnCount_n[n]!; t++) {
        visits.push(n * T + t);
        keys.push(
          JSON.stringify([batch.groupId[n], ...batch.observation_nt[n]!.slice(t - shared + 1, t + 1)]),
        );
      }
    }
    const among = amongRepeated(
      visits.map((nt) => toGo_nt[nt]!),
      keys,
      options,
    );
    among.forEach((advantage, i) => said[visits[i]!]!.push({ shared, advantage }));
  }
  return { level: "turn", advantage: Float64Array.from(said, (all) => average(all, choice.alpha)) };
}

function average(all: readonly Said[], alpha: number): number {
  let sum = 0;
  let weights = 0;
  for (const { shared, advantage } of all) {
    if (Math.abs(advantage) <= NOTHING) continue;
    const weight = power(shared + 1, alpha);
    sum += weight * advantage;
    weights += weight;
  }
  return weights === 0 ? 0 : sum / weights;
}

function returnsToGo(batch: Batch, { reward_nt }: ShapedReward, gamma: number): Float64Array {
  const [N, T] = batch.shape;
  const toGo_nt = new Float64Array(N * T);
  for (let n = 0; n < N; n++) {
    let toGo = 0;
    for (let t = batch.turnCount_n[n]! - 1; t >= 0; t--) {
      toGo = reward_nt[n * T + t]! + gamma * toGo;
      toGo_nt[n * T + t] = toGo;
    }
  }
  return toGo_nt;
}
