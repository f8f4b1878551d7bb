import { number } from "../../../schema";
import { stepReward } from "./contract";

export const marginal = stepReward({
  help: "Every turn of an agent is credited with what the episode would have lost without that agent, and with its tool calls.",
  equation: String.raw`s_{i,t}=\lambda_s\big(R(\tau)-R(\tau\setminus i)\big)+\lambda_p\,\tfrac{1}{K_i}\textstyle\sum_k[\text{call}_k\text{ well-formed}]`,
  source: "SHARP, arXiv 2602.08335; no code is public",
  fields: {
    weight: number(1, { atLeast: 0, help: "Weight of the marginal beside the outcome, lambda_s." }),
    toolWeight: number(0.1, {
      atLeast: 0,
      help: "Weight of the share of an agent's turns that the world could parse, lambda_p.",
    }),
  },
  label: ({ weight, toolWeight }) => [`marginal x ${weight} + calls x ${toolWeight}`],
  paid: false,
});
