import { scale } from "./contract";

export const none = scale({
  help: "Advantages in units of reward.",
  equation: "A",
  source: "Dr. GRPO, arXiv 2503.20783, on why the division biases",
  fields: {},
  label: () => "none",
  withinGroup: () => ({ scale: "none" }),
  overBatch: () => null,
});
