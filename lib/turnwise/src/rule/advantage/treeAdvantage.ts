import type { Batch } from "../../batch/batch";
import { groupAdvantage64, type GroupAdvantageOptions } from "./groupAdvantage";

/**
 * The advantage of each trajectory among the leaves of its tree; 0 for one that nobody left, as there is nothing to compare.
 *
 * @see `compute_grpo_outcome_advantage`, verl/trainer/ppo/core_algos.py:142 in AMAP-ML/Tree-GRPO at 90b1709, which gives such a
 *   trajectory its score; there, a tree has more than one leaf always
 */
export function treeAdvantage(
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
