import { number } from "../../schema";
import { gate, HIGH, LOW, NO } from "./contract";

export const clipFields = {
  clipLow: number(0.2, {
    above: 0,
    below: 1,
    help: "Lower clip width: with a negative advantage, ratios below 1 minus this get no gradient.",
    slider: { min: 1e-4, max: 0.99, log: true },
  }),
  clipHigh: number(0.2, {
    above: 0,
    help: "Upper clip width: with a positive advantage, ratios above 1 plus this get no gradient.",
    slider: { min: 1e-4, max: 1, log: true },
  }),
};

/**
 * The bound that a ratio has met: the upper one after a good outcome, the lower one after a bad one.
 *
 * PPO maximizes min(r A, clip(r, low, high) A) with ratio r and advantage A: the objective is r A until the ratio passes
 * this bound, then constant in r.
 *
 * Every clip of PPO's kind calls it, in the gates and in the exact steps; `cispo` and `logClip` bound something else. A
 * kernel in C duplicates it, `surrogate` in `native/tabular.h`, and is used for token ratios from 512 token positions on, masked
 * ones included. `perToken.test.ts` compares the two bit by bit, so change both.
 */
export const boundMet = (ratio: number, advantage: number, low: number, high: number): number =>
  // The ratio first: it is mostly inside, while the sign of an advantage defeats branch prediction.
  ratio > high && advantage > 0 ? HIGH : ratio < low && advantage < 0 ? LOW : NO;

/** The ratio that counts: the bound once it is met. */
export const clippedRatio = (ratio: number, bound: number, low: number, high: number): number =>
  bound === NO ? ratio : bound === HIGH ? high : low;

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
  ratioShape: "clippedLine",
  compiled: true,
  evaluate: ({ clipLow, clipHigh }, { size, ratio, advantage, objective, slope, clipped }) => {
    const low = 1 - clipLow;
    const high = 1 + clipHigh;
    for (let k = 0; k < size; k++) {
      const r = ratio[k]!;
      const A = advantage[k]!;
      const bound = boundMet(r, A, low, high);
      objective[k] = clippedRatio(r, bound, low, high) * A;
      slope[k] = bound === NO ? A : 0;
      clipped[k] = bound;
    }
  },
});
