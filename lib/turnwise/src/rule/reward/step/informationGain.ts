import { number } from "../../../schema";
import { stepReward } from "./contract";

export const informationGain = stepReward({
  help: "A turn before the last earns by how much it makes the policy itself believe more in the true answer.",
  equation: String.raw`R_t=p(\text{gold}\mid h_{t+1})-p(\text{gold}\mid h_t),\quad p=\exp\Big(\tfrac1{|g|}\sum_l\log\pi(g_l\mid h,g_{<l})\Big)`,
  source:
    "IGPO, arXiv 2510.14967 (not 2609.04813, which shares the name); scrl/llm_agent/generation.py:410 in github.com/GuoqingWang1/IGPO at bff163b",
  fields: {
    weight: number(1, {
      atLeast: 0,
      help: "Weight of the gain beside the outcome; the released code has 1.",
    }),
  },
  label: ({ weight }) => [weight === 1 ? "information gain" : `information gain x ${weight}`],
  paid: true,
});
