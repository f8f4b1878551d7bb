import { square } from "../../base/elementary/square";
import { isConstant } from "../../base/statistics";
import { number, oneOf } from "../../schema";
import { stepScale } from "./contract";

export const effectiveSamples = stepScale({
  help: "The learning rate times the root of the share of effective samples among the step's trajectories.",
  equation: String.raw`\eta\,\min\Big(1,\frac{\rho}{base}\Big)^{1/2},\quad\rho=\frac{(\sum_iw_i)^2}{N\sum_iw_i^2},\quad w_i=\frac{\pi_\theta(\tau_i)}{\pi_{rollout}(\tau_i)}`,
  source:
    "VCPO, arXiv 2602.17616; github.com/mit-han-lab/vcpo at c7f030f, verl/workers/actor/megatron_actor.py:883",
  fields: {
    base: number(1, {
      above: 0,
      atMost: 1,
      help: "Share of effective samples from which the learning rate is the optimizer's own.",
    }),
    power: oneOf(["root", "linear"], {
      help: "Whether the factor is the root of the share, as for Adam, or the share itself.",
    }),
  },
  label: ({ power }) => (power === "root" ? "rate × √ESS" : "rate × ESS"),
  active: true,
  factor: ({ base, power }, ratio_n) => {
    const share = Math.min(1, effectiveShare(ratio_n) / base);
    return power === "root" ? Math.sqrt(share) : share;
  },
});

/** (sum w)^2 / (N sum w^2): 1 where all weights are equal, 1 / N where one has everything. */
function effectiveShare(weights: readonly number[]): number {
  if (isConstant(weights)) return 1;
  let sum = 0;
  let squares = 0;
  for (const w of weights) {
    sum += w;
    squares += square(w);
  }
  // Rounding may carry weights that are nearly equal above 1.
  return Math.min(1, square(sum) / (weights.length * squares));
}
