import { oneOf } from "../../schema";
import { advantage, undiscounted } from "./contract";
import { optimalTokenAdvantage } from "./optimalTokenAdvantage";

export const optimalToken = advantage({
  help: "What is still earned from a token on, minus its mean over the group's tokens at this place, weighted by how unlikely each trajectory has been so far.",
  equation: String.raw`A_t=G_t-\frac{\sum_jG_{j,t}W_{j,t}}{\sum_jW_{j,t}},\quad W_t=\sum_{k\le t}\Big(1-2\pi(y_k)+\sum_v\pi(v)^2\Big)`,
  source: "arXiv 2602.07078; verl 0.9.1, verl/trainer/ppo/core_algos.py:990",
  fields: {
    alone: oneOf(["credit", "zero"], {
      help: "What a token gets at a place that no other trajectory of the group reaches: all that is still earned, or nothing.",
    }),
  },
  label: () => "optimal token baseline",
  comparesGroups: true,
  scalesItself: false,
  needsCritic: false,
  readsDistributions: true,
  criticDiscount: undiscounted,
  wholeTrajectory: false,
  exactBaseline: () => undefined,
  assign: (o, x) => optimalTokenAdvantage(x, o.alone),
});
