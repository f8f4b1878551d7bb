import { number } from "../../schema";
import { scale } from "./contract";

export const mean = scale({
  help: "Divided by the mean of the group, so that a task that is solved once in n counts n times as much; 0 where that mean is not above 0.",
  equation: String.raw`A_i=\frac{R_i-\mathrm{mean}(R)}{\mathrm{mean}(R)+\varepsilon}`,
  source: "MaxRL, arXiv 2602.02710; github.com/tajwarfahim/maxrl, verl/trainer/ppo/core_algos.py:437",
  fields: {
    epsilon: number(0, { atLeast: 0, help: "Added to the mean.", unit: "reward" }),
  },
  label: () => "mean",
  withinGroup: ({ epsilon }) => ({ scale: "mean", epsilon }),
  overBatch: () => null,
});
