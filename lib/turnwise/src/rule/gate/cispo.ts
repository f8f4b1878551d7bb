import { number } from "../../schema";
import { gate, HIGH, LOW, NO } from "./contract";

export const cispo = gate({
  help: "The clipped ratio as a constant weight on log π: a token beyond a bound counts less, and still learns.",
  equation: String.raw`\mathrm{sg}\big[\mathrm{clip}(r,1-\epsilon_{lo},1+\epsilon_{hi})\big]\,A\log\pi`,
  source: "MiniMax-M1, arXiv 2506.13585, Eq. 4; verl, trainer/ppo/core_algos.py: cispo",
  fields: {
    clipLow: number(1, {
      above: 0,
      atMost: 1,
      help: "Distance below 1 to which the weight may fall; 1: no bound.",
      slider: { min: 0.01, max: 1, log: true },
    }),
    clipHigh: number(0.2, {
      above: 0,
      help: "Distance above 1 to which the weight may rise.",
      slider: { min: 0.01, max: 10, log: true },
    }),
  },
  label: ({ clipLow, clipHigh }) => `cispo ${clipLow}/${clipHigh}`,
  needsRatio: true,
  through: "logProb",
  range: ({ clipLow, clipHigh }) => ({ low: clipLow, high: clipHigh }),
  cutsGradient: false,
  ratioShape: null,
  evaluate: ({ clipLow, clipHigh }, { size, ratio, advantage, logProb, objective, slope, clipped }) => {
    const low = 1 - clipLow;
    const high = 1 + clipHigh;
    for (let k = 0; k < size; k++) {
      const r = ratio[k]!;
      slope[k] = Math.min(Math.max(r, low), high) * advantage[k]!;
      objective[k] = slope[k]! * logProb[k]!;
      clipped[k] = r > high ? HIGH : r < low ? LOW : NO;
    }
  },
});
