import type { Batch } from "../../batch/batch";
import { withinGroup, type ScaleChoice } from "../scale";
import { advantage, undiscounted } from "./contract";
import type { Credit, ShapedReward } from "./credit";
import { groupAdvantage64 } from "./groupAdvantage";

export const perPosition = advantage({
  help: "Return from a turn on, minus the group's mean at the same turn, where trajectories that have ended count 0.",
  equation: String.raw`A_t=\sum_{k\ge t}R_k-\frac1G\sum_{j}\sum_{k\ge t}R_{j,k}`,
  source:
    "IGPO, arXiv 2510.14967; verl/trainer/ppo/core_algos.py:193 in github.com/GuoqingWang1/IGPO at bff163b",
  fields: {},
  label: () => "perPosition",
  comparesGroups: true,
  scalesItself: false,
  needsCritic: false,
  criticDiscount: undiscounted,
  wholeTrajectory: false,
  exactBaseline: () => undefined,
  assign: (_, { batch, reward, scale }) => perPositionAdvantage(batch, reward, scale),
});

/** The mean is over all members of the group: one that has ended has nothing left to earn. */
function perPositionAdvantage(batch: Batch, reward: ShapedReward, scale: ScaleChoice): Credit {
  const [N, T] = batch.shape;
  const toGo = new Float64Array(N * T);
  for (let n = 0; n < N; n++) {
    let rest = 0;
    for (let t = batch.turnCount_n[n]! - 1; t >= 0; t--)
      toGo[n * T + t] = rest += reward.reward_nt[n * T + t]!;
  }
  const keys = Array.from(toGo, (_, nt) => JSON.stringify([batch.groupId[Math.floor(nt / T)], nt % T]));
  const advantage = groupAdvantage64(toGo, keys, { baseline: "mean", ...withinGroup(scale) });
  return {
    level: "turn",
    advantage: advantage.map((a, nt) => (nt % T < batch.turnCount_n[Math.floor(nt / T)]! ? a : 0)),
  };
}
