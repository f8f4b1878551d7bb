import { number } from "../../schema";
import { clip, clipFields } from "./clip";
import { DUAL, gate, HIGH, LOW, NO } from "./contract";

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
  exact: null,
  evaluate: (o, { size, ratio, advantage, objective, slope, clipped }) => {
    const low = 1 - o.clipLow;
    const high = 1 + o.clipHigh;
    const dual = o.dualClip;
    for (let k = 0; k < size; k++) {
      const r = ratio[k]!;
      const A = advantage[k]!;
      const bound = r > high && A > 0 ? HIGH : r < low && A < 0 ? LOW : r > dual && A < 0 ? DUAL : NO;
      objective[k] = (bound === NO ? r : bound === HIGH ? high : bound === LOW ? low : dual) * A;
      slope[k] = bound === NO ? A : 0;
      clipped[k] = bound;
    }
  },
});
