import { exp } from "../../base/elementary/exp";
import { gate, NO } from "./contract";

/**
 * A demonstration's importance weight has the mean of policy and behavior in its place, w = 2 pi / (pi_old + mu), and the
 * released code takes mu = (pi_old + 1) / 2, as nobody knows the demonstrator's probabilities. That is the ordinary ratio
 * times a constant, 2 pi_old / (1.5 pi_old + .5): small where the policy would hardly have gone, and never above 1.
 */
export const rlPlus = gate({
  help: "Ratio times advantage, unclipped; a demonstration's token has a bounded weight, which pushes most where the policy is undecided, and not at all where it is certain.",
  equation: String.raw`rA\ \text{on policy};\quad \frac{2\pi}{\pi_{old}+\frac12(\pi_{old}+1)}\,\mathrm{sg}\big[(1-\pi)^{1/2}\big]A\ \text{of a demonstration}`,
  source:
    "RL-PLUS, arXiv 2508.00222; rl_plus/verl/verl/recipe/rlplus_core_alg.py:135-137, :164-167 in YihongDong/RL-PLUS at eb4aa4d, github.com/YihongDong/RL-PLUS",
  fields: {},
  label: () => "rlPlus",
  needsRatio: true,
  through: "ratio",
  range: () => null,
  cutsGradient: false,
  ratioShape: "line",
  evaluate: (_, { size, ratio, advantage, logProb, demonstration, objective, slope, clipped }) => {
    for (let k = 0; k < size; k++) {
      const push = advantage[k]! * (demonstration?.[k] === 1 ? weightOf(ratio[k]!, exp(logProb[k]!)) : 1);
      objective[k] = ratio[k]! * push;
      slope[k] = push;
      clipped[k] = NO;
    }
  },
});

/** Weight in addition to ratio and advantage; 0 for a token that is certain. */
function weightOf(ratio: number, p: number): number {
  const old = p / ratio;
  return ((2 * old) / (1.5 * old + 0.5)) * Math.sqrt(Math.max(0, 1 - p));
}
