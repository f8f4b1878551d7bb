import { number } from "../../schema";
import { boundMet, clip, clipFields, clippedRatio } from "./clip";
import { DUAL, gate, NO } from "./contract";

export const dualClip = gate({
  help: "PPO's clip, and a floor under what one bad token that has become very likely may cost.",
  equation: String.raw`\max\!\big(\min(rA,\mathrm{clip}(r)A),\ cA\big)\ \text{if}\ A<0,\ \text{else}\ \min(rA,\mathrm{clip}(r)A)`,
  source: "Ye et al., arXiv 1912.09729, Eq. 5; verl, trainer/ppo/core_algos.py: clip_ratio_c",
  fields: {
    ...clipFields,
    dualClip: number(3, {
      above: 1,
      help: "The ratio at which a bad outcome stops pushing the token down.",
      slider: { min: 1.01, max: 10, log: true },
    }),
  },
  label: ({ clipLow, clipHigh, dualClip }) => `dualClip ${clipLow}/${clipHigh}, ${dualClip}`,
  needsRatio: true,
  through: "ratio",
  range: clip.range,
  cutsGradient: true,
  ratioShape: null,
  evaluate: (o, { size, ratio, advantage, objective, slope, clipped }) => {
    const low = 1 - o.clipLow;
    const high = 1 + o.clipHigh;
    const dual = o.dualClip;
    for (let k = 0; k < size; k++) {
      const r = ratio[k]!;
      const A = advantage[k]!;
      const met = boundMet(r, A, low, high);
      const bound = met === NO && r > dual && A < 0 ? DUAL : met;
      objective[k] = (bound === DUAL ? dual : clippedRatio(r, bound, low, high)) * A;
      slope[k] = bound === NO ? A : 0;
      clipped[k] = bound;
    }
  },
});
