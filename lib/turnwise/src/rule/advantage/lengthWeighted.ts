import { withinGroup } from "../scale";
import { advantage, undiscounted } from "./contract";
import { lengthWeightedAdvantage } from "./lengthWeightedAdvantage";
import { allowSingleton } from "./knobs";

export const lengthWeighted = advantage({
  help: "The return minus the mean of its group, in which a trajectory counts by its sampled tokens.",
  equation: String.raw`A_i=R_i-\frac{\sum_jl_jR_j}{\sum_jl_j},\quad l_j=\text{sampled tokens}`,
  source: "OPO, arXiv 2505.23585; verl 0.9.1, verl/trainer/ppo/core_algos.py:687",
  fields: { allowSingleton },
  label: () => "mean by length",
  comparesGroups: true,
  scalesItself: false,
  needsCritic: false,
  criticDiscount: undiscounted,
  wholeTrajectory: true,
  exactBaseline: () => undefined,
  assign: (o, { batch, reward, scale }) => ({
    level: "trajectory",
    advantage: lengthWeightedAdvantage(batch, reward, withinGroup(scale), o.allowSingleton),
  }),
});
