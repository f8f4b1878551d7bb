import { withinGroup } from "../scale";
import { advantage, undiscounted } from "./contract";
import { groupAdvantage64 } from "./groupAdvantage";

export const leaveOneOut = advantage({
  help: "The return minus the mean of the others of its group, so that the baseline does not depend on it.",
  equation: String.raw`A_i=R_i-\frac{1}{G-1}\sum_{j\ne i}R_j`,
  source: "RLOO, arXiv 2402.14740",
  fields: {},
  label: () => "leaveOneOut",
  comparesGroups: true,
  scalesItself: false,
  needsCritic: false,
  criticDiscount: undiscounted,
  wholeTrajectory: true,
  exactBaseline: () => "leaveOneOut",
  assign: (_, { batch, reward, scale }) => ({
    level: "trajectory",
    advantage: groupAdvantage64(reward.return_n, batch.groupId, {
      baseline: "leaveOneOut",
      ...withinGroup(scale),
    }),
  }),
});
