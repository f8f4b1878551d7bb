import { fraction } from "../../schema";
import { advantage } from "./contract";
import { biLevelAdvantage } from "./criticAdvantage";
import { gamma, lambda, valueCoef } from "./knobs";

export const biLevelGae = advantage({
  help: "GAE over the turns, then inside each turn with the turn's return as its reward.",
  equation: String.raw`\delta_k=R_k+\gamma_{turn}V_{k+1}-V_k;\quad\text{the last token of turn }k\text{ is paid }A_k+V_k`,
  source:
    "RAGEN, github.com/RAGEN-AI/RAGEN, ragen/trainer/core_algos.py: compute_bi_level_gae_advantage_return",
  fields: {
    gamma: gamma(1),
    lambda: lambda(1),
    gammaTurn: fraction(0.95, { help: "Discount per turn." }),
    lambdaTurn: lambda(1),
    valueCoef,
  },
  label: () => "biLevelGae",
  comparesGroups: false,
  scalesItself: false,
  needsCritic: true,
  criticDiscount: (o) => ({ gamma: o.gammaTurn, perToken: false }),
  wholeTrajectory: false,
  exactBaseline: () => undefined,
  assign: (o, { batch, reward, values }) => biLevelAdvantage(batch, reward, o, values),
});
