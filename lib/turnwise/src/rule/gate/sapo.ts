import { exp } from "../../base/elementary/exp";
import { number } from "../../schema";
import { gate, NO } from "./contract";

export const sapo = gate({
  help: "A sigmoid instead of a clip: the gradient fades with the distance of the ratio from 1, and never stops at once.",
  equation: String.raw`\frac4\tau\,\sigma\big(\tau(r-1)\big)A,\quad\tau=\tau_+\ (A>0),\ \tau_-\ (A\le0)`,
  source: "SAPO, arXiv 2511.20347; TRL and verl have it as a loss of GRPO",
  fields: {
    tauPositive: number(1, { above: 0, help: "Rate at which the gradient of a good outcome fades." }),
    tauNegative: number(1.05, { above: 0, help: "Rate at which the gradient of a bad outcome fades." }),
  },
  label: ({ tauPositive, tauNegative }) => `sapo τ ${tauPositive}/${tauNegative}`,
  needsRatio: true,
  through: "ratio",
  range: () => null,
  cutsGradient: false,
  ratioShape: null,
  evaluate: ({ tauPositive, tauNegative }, { size, ratio, advantage, objective, slope, clipped }) => {
    for (let k = 0; k < size; k++) {
      const A = advantage[k]!;
      const tau = A > 0 ? tauPositive : tauNegative;
      const s = 1 / (1 + exp(-tau * (ratio[k]! - 1)));
      objective[k] = (4 / tau) * s * A;
      // At ratio 1 this is A, whatever tau is: there it has the gradient of REINFORCE.
      slope[k] = 4 * s * (1 - s) * A;
      clipped[k] = NO;
    }
  },
});
