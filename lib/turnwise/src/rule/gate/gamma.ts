import { exp } from "../../base/elementary/exp";
import { log } from "../../base/elementary/log";
import { number } from "../../schema";
import { gate, NO } from "./contract";

export const gamma = gate({
  help: "A smooth weight on log π instead of a clip: it rises with the ratio up to k / λ, falls beyond, and is 1 at ratio 1.",
  equation: String.raw`\mathrm{sg}\big[W^k e^{\lambda(1-W)}\big]\,A\log\pi,\quad(k,\lambda)\ \text{by the sign of}\ A`,
  source:
    "VESPO, arXiv 2602.10693; TRL has it as a loss of GRPO, where a correction's weights enter W and multiply nothing",
  fields: {
    kPositive: number(2, {
      atLeast: 0,
      help: "Rate at which a ratio below 1 loses weight after a good outcome.",
    }),
    lambdaPositive: number(3, {
      above: 0,
      help: "Rate at which a ratio above 1 loses weight after a good outcome.",
    }),
    kNegative: number(3, {
      atLeast: 0,
      help: "Rate at which a ratio below 1 loses weight after a bad outcome.",
    }),
    lambdaNegative: number(2, {
      above: 0,
      help: "Rate at which a ratio above 1 loses weight after a bad outcome.",
    }),
  },
  label: (o) => `gamma ${o.kPositive}/${o.lambdaPositive}, ${o.kNegative}/${o.lambdaNegative}`,
  needsRatio: true,
  through: "logProb",
  range: () => null,
  foldsCorrection: true,
  cutsGradient: false,
  ratioShape: null,
  evaluate: (o, { size, active, ratio, advantage, logProb, objective, slope, clipped }) => {
    for (let i = 0; i < size; i++) {
      if (active !== undefined && active[i] !== 1) continue;
      const A = advantage[i]!;
      const W = ratio[i]!;
      const weight =
        A >= 0
          ? exp(o.kPositive * log(W) + o.lambdaPositive * (1 - W))
          : exp(o.kNegative * log(W) + o.lambdaNegative * (1 - W));
      slope[i] = weight * A;
      objective[i] = slope[i]! * logProb[i]!;
      clipped[i] = NO;
    }
  },
});
