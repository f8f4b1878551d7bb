import { stepScale } from "./contract";

export const none = stepScale({
  help: "Every step has the optimizer's learning rate.",
  equation: String.raw`\eta`,
  source: "GRPO, arXiv 2402.03300",
  fields: {},
  label: () => "none",
  active: false,
  factor: () => 1,
});
