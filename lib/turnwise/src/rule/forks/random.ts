import { oneOf } from "../../schema";
import { forks } from "./contract";
import { leaves } from "./leaves";

export const random = forks({
  help: "Each leaf of a tree leaves its trunk at a random turn.",
  equation: String.raw`t\sim\mathcal U\{0,\dots,|\tau_{trunk}|-1\},\quad\tau_i\sim\pi(\cdot\mid h_t)`,
  source:
    "Tree-GRPO, arXiv 2509.21240; search_r1/llm_agent/tree_node.py:132 in AMAP-ML/Tree-GRPO at 90b1709, one round of expansions",
  fields: {
    leaves,
    among: oneOf(["trunk", "limit"], {
      help:
        "Of which turns: those of the trunk, which reaches long episodes more often than the policy does, or all that the " +
        "world allows, where a leaf repeats a trunk that has ended.",
    }),
  },
  label: ({ leaves: count, among }) => `random, ${count} leaves${among === "limit" ? ", of all turns" : ""}`,
  plan: (o) => ({ kind: "random", leaves: o.leaves, among: o.among }),
});
