import { count } from "../../schema";

/** Tree-GRPO grows two trees a prompt, each of one trunk and two expansions: train_multihopqa_tree_search.sh:20. */
export const leaves = count(3, {
  unit: "trajectories",
  help: "Number of trajectories of a tree: a trunk, and those that leave it. The last tree of a group may be smaller.",
});
