import { forks } from "./contract";

export const none = forks({
  help: "Every trajectory begins at the start.",
  equation: String.raw`\text{none}`,
  source: "GRPO, arXiv 2402.03300",
  fields: {},
  label: () => "none",
  plan: () => ({ kind: "none" }),
});
