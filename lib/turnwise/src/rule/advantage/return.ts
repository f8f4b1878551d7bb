import { advantage, undiscounted } from "./contract";

export const rawReturn = advantage({
  help: "The return itself, without a baseline.",
  equation: "A_i=R_i",
  source: "Williams, Machine Learning 8 (1992), https://doi.org/10.1007/BF00992696",
  fields: {},
  label: () => "return",
  comparesGroups: false,
  scalesItself: false,
  needsCritic: false,
  criticDiscount: undiscounted,
  wholeTrajectory: true,
  exactBaseline: () => "none",
  assign: (_, { reward }) => ({ level: "trajectory", advantage: Float64Array.from(reward.return_n) }),
});
