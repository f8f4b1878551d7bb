import { stepReward } from "./contract";

export const none = stepReward({
  help: "Turns earn what the world pays them.",
  equation: "r_t",
  source: "GRPO, arXiv 2402.03300, where the outcome alone is paid",
  fields: {},
  label: () => [],
  paid: false,
});
