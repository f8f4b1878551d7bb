import { oneOf } from "../../schema";
import { withinGroup } from "../scale";
import { advantage, undiscounted } from "./contract";
import { groupAdvantage64 } from "./groupAdvantage";
import { allowSingleton } from "./knobs";
import { agentAdvantage } from "./turnGroups";

export const mean = advantage({
  help: "The return minus the mean of its group.",
  equation: String.raw`A_i=R_i-\mathrm{mean}(R)`,
  source: "GRPO, arXiv 2402.03300; by task and agent: Dr. MAS, arXiv 2602.08847, github.com/langfengQ/DrMAS",
  fields: {
    groupBy: oneOf(["task", "taskAgent"], {
      help: "Which trajectories a baseline pools: those of a task, or the turns of one task and one agent.",
    }),
    allowSingleton,
  },
  label: ({ groupBy }) => (groupBy === "taskAgent" ? "mean of (task, agent)" : "mean"),
  comparesGroups: true,
  scalesItself: false,
  needsCritic: false,
  criticDiscount: undiscounted,
  wholeTrajectory: true,
  exactBaseline: ({ groupBy }) => (groupBy === "task" ? "mean" : undefined),
  assign: (o, { batch, reward, scale }) =>
    o.groupBy === "taskAgent"
      ? agentAdvantage(batch, reward, scale, o.allowSingleton)
      : {
          level: "trajectory",
          advantage: groupAdvantage64(reward.return_n, batch.groupId, {
            baseline: "mean",
            allowSingleton: o.allowSingleton,
            ...withinGroup(scale),
          }),
        },
});
