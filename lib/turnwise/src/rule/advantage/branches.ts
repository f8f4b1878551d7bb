import { mean } from "../../base/statistics";
import type { Batch } from "../../batch/batch";
import { oneOf } from "../../schema";
import { advantage, undiscounted } from "./contract";
import type { Credit, ShapedReward } from "./credit";

export const branches = advantage({
  help: "After a fork, the return minus the mean of its tree; before it, the tree's mean minus the mean of the trees' means.",
  equation: String.raw`A_{i,t}=\begin{cases}R_i-\mathrm{mean}_{tree}(R)&t\ge f\\\mathrm{mean}_{tree}(R)-\mathrm{mean}_{trees}\,\mathrm{mean}_{tree}(R)&t<f\end{cases}`,
  source:
    "hierarchical GRPO, src/prime_rl/orchestrator/algo/hierarchical_grpo.py:33 in github.com/PrimeIntellect-ai/prime-rl at 559b447; with the others' mean: C3, arXiv 2603.06859, c3/credit/c3/provider.py:81 in github.com/EIT-EAST-Lab/C3 at 628185b",
  fields: {
    baseline: oneOf(["mean", "leaveOneOut"], {
      help: "Whether an attempt, or a tree, counts in the mean that it is compared with.",
    }),
  },
  label: ({ baseline }) =>
    `fork: within the tree, trunk: among trees${baseline === "mean" ? "" : ", of the others"}`,
  comparesGroups: false,
  scalesItself: false,
  needsCritic: false,
  criticDiscount: undiscounted,
  wholeTrajectory: false,
  exactBaseline: () => undefined,
  assign: ({ baseline }, { batch, reward }) => branchAdvantage(batch, reward, baseline),
});

/**
 * Turns that trajectories of a tree share are compared with those of the other trees, the turns after with those of the tree.
 *
 * ```
 * A_{i,t} = R_i - mean of the tree                          from the turn on at which the tree forks
 * A_{i,t} = mean of the tree - mean of the trees' means     before it
 * ```
 * A tree that nobody left would have forked where the first one of its group did; in a group without forks, all turns are compared
 * among trees, which are its trajectories. A shared turn is a proposal, and a tree the attempts at it: a proposal is paid the mean of what its attempts earn. It stands in
 * every trajectory of its tree. Compared with nothing, a turn has advantage 0. With `leaveOneOut`, both means are those of the others,
 * which are n / (n - 1) times as far away.
 */
function branchAdvantage(
  { shape, groupId, trajectoryId, turnCount_n, fork_n }: Batch,
  reward: ShapedReward,
  baseline: "mean" | "leaveOneOut",
): Credit {
  const [N, T] = shape;
  const { return_n } = reward;
  const groups = new Map<string, Map<string, number[]>>();
  for (let n = 0; n < N; n++) {
    const trees = groups.get(groupId[n]!) ?? new Map<string, number[]>();
    groups.set(groupId[n]!, trees);
    const tree = fork_n?.[n]?.tree ?? trajectoryId[n]!;
    trees.set(tree, [...(trees.get(tree) ?? []), n]);
  }
  const advantage = new Float64Array(N * T);
  for (const trees of groups.values()) {
    const means = [...trees.values()].map((leaves) => mean(leaves.map((n) => return_n[n]!)));
    const among = mean(means);
    const further = (n: number): number => (baseline === "mean" || n === 1 ? 1 : n / (n - 1));
    const firstFork = (leaves: readonly number[]): number =>
      Math.min(...leaves.map((n) => fork_n?.[n]?.turn ?? Infinity));
    const first = Math.min(...[...trees.values()].map(firstFork));
    [...trees.values()].forEach((leaves, k) => {
      const forkedAt = leaves.length === 1 ? first : firstFork(leaves);
      for (const n of leaves) {
        for (let t = 0; t < turnCount_n[n]!; t++) {
          advantage[n * T + t] =
            t < forkedAt
              ? (means[k]! - among) * further(trees.size)
              : (return_n[n]! - means[k]!) * further(leaves.length);
        }
      }
    });
  }
  return { level: "turn", advantage };
}
