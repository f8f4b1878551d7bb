import { mean, positionsByKey } from "../../base/statistics";
import type { Batch } from "../../batch/batch";
import { number, oneOf } from "../../schema";
import { withinGroup } from "../scale";
import type { GroupScaling } from "../scale/contract";
import { advantage, undiscounted } from "./contract";
import { divisorOf, groupAdvantage64 } from "./groupAdvantage";

export const episodePlusStep = advantage({
  help: "Leave-one-out of the return plus leave-one-out of the step reward among all turns of the group.",
  equation: String.raw`A_t=\Big(R_i-\frac{1}{G-1}\sum_{j\ne i}R_j\Big)+w\Big(s_{i,t}-\frac{1}{K-1}\sum_{(j,k)\ne(i,t)}s_{j,k}\Big)`,
  source:
    "iStar, arXiv 2509.19199; CharacterRL-iStar/istar/core_istar.py:28 in github.com/Tongyi-ConvAI/Qwen-Character at 1de87a2",
  fields: {
    weight: number(1, { atLeast: 0, help: "Weight of the part of the step reward." }),
    among: oneOf(["allTurns", "firstTurns"], {
      help: "Comparison group of a turn's step reward: all turns of the group, as the paper and the code's docstring say, or each trajectory's first, as the code does.",
    }),
  },
  label: ({ weight, among }) => `episode + ${weight} step${among === "firstTurns" ? ", first turns" : ""}`,
  comparesGroups: true,
  scalesItself: true,
  needsCritic: false,
  criticDiscount: undiscounted,
  wholeTrajectory: false,
  exactBaseline: () => undefined,
  assign({ weight, among }, { batch, reward, scale }) {
    const within = withinGroup(scale);
    const episode_n = groupAdvantage64(reward.return_n, batch.groupId, {
      baseline: "leaveOneOut",
      ...within,
    });
    const [, T] = batch.shape;
    const result = stepAdvantage(batch, among, within);
    for (let nt = 0; nt < result.length; nt++) {
      const n = Math.floor(nt / T);
      if (nt % T < batch.turnCount_n[n]!) result[nt] = episode_n[n]! + weight * result[nt]!;
    }
    return { level: "turn", advantage: result };
  },
});

/**
 * K / (K - 1) (s - mean): for all K turns of the group that is s minus the mean of the others. Among first turns, K counts those.
 */
function stepAdvantage(
  batch: Batch,
  among: "allTurns" | "firstTurns",
  { scale, unbiased = true, epsilon = 1e-6 }: GroupScaling,
): Float64Array {
  const [N, T] = batch.shape;
  const result = new Float64Array(N * T);
  const { step_nt } = batch;
  if (step_nt === undefined) return result;
  for (const [, members] of positionsByKey(batch.groupId)) {
    const turns = members.flatMap((n) => Array.from({ length: batch.turnCount_n[n]! }, (_, t) => n * T + t));
    const compared = among === "allTurns" ? turns : turns.filter((nt) => nt % T === 0);
    const steps = compared.map((nt) => step_nt[nt]!);
    // A turn that is alone is compared with nothing: its step reward says nothing about it.
    if (steps.length < 2) continue;
    const shrink = steps.length / (steps.length - 1);
    const center = mean(steps);
    const divisor = divisorOf(steps, scale, unbiased, epsilon);
    for (const nt of turns) result[nt] = (shrink * (step_nt[nt]! - center)) / divisor;
  }
  return result;
}
