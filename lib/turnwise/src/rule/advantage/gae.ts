import { oneOf } from "../../schema";
import { advantage } from "./contract";
import { tokenGae, turnGae } from "./criticAdvantage";
import { gamma, lambda, valueCoef } from "./knobs";

export const gae = advantage({
  help: "Generalized advantage estimation with a critic, over tokens or over turns.",
  equation: String.raw`\delta_t=R_t+\gamma V_{t+1}-V_t,\quad A_t=\sum_l(\gamma\lambda)^l\delta_{t+l}`,
  source: "Schulman et al., arXiv 1506.02438, Eq. 11 to 16; over turns: StepPO, arXiv 2604.18401",
  fields: {
    level: oneOf(["token", "turn"], { help: "Unit of one step of the recursion." }),
    gamma: gamma(1),
    lambda: lambda(1),
    valueCoef,
    valueTarget: oneOf(["monteCarlo", "lambdaReturn"], {
      help: "Target of the critic's regression: the sampled return, or A + V, which leans on the critic.",
    }),
  },
  label: ({ level }) => `gae, ${level}`,
  comparesGroups: false,
  scalesItself: false,
  needsCritic: true,
  criticDiscount: (o) => ({ gamma: o.gamma, perToken: o.level === "token" }),
  wholeTrajectory: false,
  exactBaseline: (o) => (o.gamma === 1 ? "critic" : undefined),
  assign: (o, { batch, reward, values }) =>
    (o.level === "turn" ? turnGae : tokenGae)(batch, reward, o, values),
});
