import { oneOf } from "../../schema";
import { withinGroup } from "../scale";
import { advantage, undiscounted } from "./contract";
import { groupAdvantage64 } from "./groupAdvantage";
import { subtreeAdvantage } from "./subtreeAdvantage";

export const subtree = advantage({
  help: "What the leaves below a turn earned, compared within the group, and averaged from the leaves down to the turn.",
  equation: String.raw`A_k=\sum_{c\in\mathrm{children}(k)}w_c\,A_c,\quad A_{leaf}=\frac{R-\mathrm{mean}(R)}{F},\quad w_c=\frac{1}{m}\ \text{or}\ \frac{e^{u_c}}{\sum e^{u}}`,
  source:
    "AT²PO, arXiv 2601.04767; verl/workers/rollout/vllm_rollout/vllm_rollout_with_tools_tree_offline.py:593 in zzfoutofspace/ATPO at 98e60f6",
  fields: {
    weigh: oneOf(["surprise", "evenly"], {
      help: "How the ways to go on count: by e to the mean surprise of their tokens, or all alike.",
    }),
  },
  label: ({ weigh }) => (weigh === "surprise" ? "subtree, by surprise" : "subtree"),
  comparesGroups: true,
  scalesItself: false,
  needsCritic: false,
  criticDiscount: undiscounted,
  wholeTrajectory: false,
  exactBaseline: () => undefined,
  assign: ({ weigh }, { batch, reward, scale }) => {
    const leaf_n = groupAdvantage64(reward.return_n, batch.groupId, {
      baseline: "mean",
      ...withinGroup(scale),
    });
    return { level: "turn", advantage: subtreeAdvantage(batch, leaf_n, weigh) };
  },
});
