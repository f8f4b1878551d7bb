import { filter } from "./contract";

export const none = filter({
  help: "All groups take part.",
  equation: String.raw`\text{all}`,
  source: "GRPO, arXiv 2402.03300",
  fields: {},
  label: () => "none",
  kept: (_, groups) => groups,
  generations: () => 1,
});
