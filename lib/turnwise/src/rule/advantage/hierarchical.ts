import { flag } from "../../schema";
import { advantage } from "./contract";
import { gamma, lambda, valueCoef } from "./knobs";
import { hierarchicalAdvantage, withoutKeptSubgoals } from "./segments";

export const hierarchical = advantage({
  help: "HiPER's three levels: actions inside a segment of turns, the subgoal at its start, the switch between segments.",
  equation: String.raw`A_{low}:\ \delta=R+\gamma V_{next}-V_{low};\quad A_{high}:\ \delta_k=\sum_j\gamma^jR_j+\gamma^{d_k}V_{high}'-V_{high};\quad A_{sw}=G_t-V_{term}`,
  source: "HiPER, arXiv 2602.16165",
  fields: {
    gamma: gamma(0.95),
    lambdaTurn: lambda(0.95),
    lambdaSegment: lambda(0.95),
    whitenRoles: flag(false, {
      help: "Whiten the actions', the subgoals' and the switches' advantages, each over its turns.",
    }),
    valueCoef,
  },
  label: ({ whitenRoles }) => (whitenRoles ? "hierarchical, whitened by role" : "hierarchical"),
  comparesGroups: false,
  scalesItself: false,
  needsCritic: true,
  criticDiscount: (o) => ({ gamma: o.gamma, perToken: false }),
  wholeTrajectory: false,
  exactBaseline: () => undefined,
  assign: (o, { batch, reward, values }) => hierarchicalAdvantage(batch, reward, o, values),
  trained: withoutKeptSubgoals,
});
