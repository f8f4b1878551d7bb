import { number } from "../../schema";
import { gate, HIGH, LOW, NO } from "./contract";

export const clipFields = {
  clipLow: number(0.2, {
    above: 0,
    below: 1,
    help: "How far below 1 a ratio may fall before a bad outcome stops pushing it down.",
    slider: { min: 1e-4, max: 0.99, log: true },
  }),
  clipHigh: number(0.2, {
    above: 0,
    help: "How far above 1 a ratio may rise before a good outcome stops pushing it up.",
    slider: { min: 1e-4, max: 1, log: true },
  }),
};

export const clip = gate({
  help: "PPO's clip: nothing is gained by moving the ratio beyond its bounds.",
  equation: String.raw`\min\!\big(rA,\ \mathrm{clip}(r,1-\epsilon_{lo},1+\epsilon_{hi})A\big)`,
  source: "PPO, arXiv 1707.06347, Eq. 7; with clipHigh above clipLow: DAPO, arXiv 2503.14476",
  fields: clipFields,
  label: ({ clipLow, clipHigh }) => `clip ${clipLow}/${clipHigh}`,
  needsRatio: true,
  through: "ratio",
  range: ({ clipLow, clipHigh }) => ({ low: clipLow, high: clipHigh }),
  cutsGradient: true,
  exact: "cut",
  evaluate: ({ clipLow, clipHigh }, { size, ratio, advantage, objective, slope, clipped }) => {
    const low = 1 - clipLow;
    const high = 1 + clipHigh;
    for (let k = 0; k < size; k++) {
      const r = ratio[k]!;
      const A = advantage[k]!;
      // The ratio first: it is mostly inside, while the sign of an advantage is a coin that a processor cannot foresee.
      const bound = r > high && A > 0 ? HIGH : r < low && A < 0 ? LOW : NO;
      objective[k] = (bound === NO ? r : bound === HIGH ? high : low) * A;
      slope[k] = bound === NO ? A : 0;
      clipped[k] = bound;
    }
  },
});
