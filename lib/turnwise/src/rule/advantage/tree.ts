import { number } from "../../schema";
import { withinGroup } from "../scale";
import { advantage, undiscounted } from "./contract";
import { groupAdvantage64 } from "./groupAdvantage";
import { treeAdvantage } from "./treeAdvantage";

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
