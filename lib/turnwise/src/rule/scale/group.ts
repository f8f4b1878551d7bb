import { scale } from "./contract";
import { deviation } from "./deviation";

export const group = scale({
  help: "Divided by the standard deviation of the group.",
  equation: String.raw`A_i=\frac{R_i-\mathrm{mean}(R)}{\mathrm{std}(R)+\varepsilon}`,
  source: "GRPO, arXiv 2402.03300",
  fields: deviation,
  label: () => "group",
  withinGroup: ({ unbiased, epsilon }) => ({ scale: "group", unbiased, epsilon }),
  overBatch: () => null,
});
