import type { Batch } from "../../batch/batch";
import { number } from "../../schema";
import { withinGroup } from "../scale";
import { advantage, undiscounted } from "./contract";
import { groupAdvantage64, type GroupAdvantageOptions } from "./groupAdvantage";

export const tree = advantage({
  help: "The return compared with all trajectories of the group, and with those of its own tree.",
  equation: String.raw`A_i=\frac{R_i-\mathrm{mean}_{group}(R)}{F_{group}}+w\,\frac{R_i-\mathrm{mean}_{tree}(R)}{F_{tree}}`,
  source:
    "Tree-GRPO, arXiv 2509.21240; verl/trainer/ppo/ray_trainer_ts.py:168 in AMAP-ML/Tree-GRPO at 90b1709",
  fields: {
    weight: number(1, { atLeast: 0, help: "Weight of the advantage within the tree." }),
  },
  label: ({ weight }) => `group + tree, w ${weight}`,
  comparesGroups: true,
  scalesItself: true,
  needsCritic: false,
  criticDiscount: undiscounted,
  wholeTrajectory: true,
  exactBaseline: () => undefined,
  assign: ({ weight }, { batch, reward, scale }) => {
    const options = { baseline: "mean", ...withinGroup(scale) } as const;
    const between = groupAdvantage64(reward.return_n, batch.groupId, options);
    const within = treeAdvantage(batch, reward.return_n, options);
    return { level: "trajectory", advantage: between.map((x, n) => x + weight * within[n]!) };
  },
});

/**
 * The advantage of each trajectory among the leaves of its tree; 0 for one that nobody left, as there is nothing to compare.
 *
 * @see `compute_grpo_outcome_advantage`, verl/trainer/ppo/core_algos.py:142 in AMAP-ML/Tree-GRPO at 90b1709, which gives such a
 *   trajectory its score; there, a tree has more than one leaf always
 */
function treeAdvantage(
  { fork_n, trajectoryId, groupId }: Pick<Batch, "fork_n" | "trajectoryId" | "groupId">,
  return_n: ArrayLike<number>,
  options: GroupAdvantageOptions,
): Float64Array {
  const tree_n = trajectoryId.map((id, n) => JSON.stringify([groupId[n], fork_n?.[n]?.tree ?? id]));
  const leaves = new Map<string, number>();
  for (const tree of tree_n) leaves.set(tree, (leaves.get(tree) ?? 0) + 1);
  const left = [...tree_n.keys()].filter((n) => leaves.get(tree_n[n]!)! > 1);
  const advantage = new Float64Array(tree_n.length);
  if (left.length === 0) return advantage;
  const within = groupAdvantage64(
    left.map((n) => return_n[n]!),
    left.map((n) => tree_n[n]!),
    options,
  );
  left.forEach((n, k) => (advantage[n] = within[k]!));
  return advantage;
}
