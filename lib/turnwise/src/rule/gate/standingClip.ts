import { tanh } from "../../base/elementary/tanh";
import { fraction } from "../../schema";
import { boundMet, clipFields, clippedRatio } from "./clip";
import { gate, NO } from "./contract";

export const standingClip = gate({
  help: "PPO's clip, wider for the turns that stand above their peers and narrower for those below.",
  equation: String.raw`\min\!\big(rA,\ \mathrm{clip}(r,1-c_t\epsilon_{lo},1+c_t\epsilon_{hi})A\big),\quad c_t=1+\beta\big(2\sigma(z_t)-1\big)`,
  source: "A²TGPO, arXiv 2605.06200, Eq. 11 and 12",
  fields: {
    ...clipFields,
    spread: fraction(0.3, {
      help: "Largest relative change of the widths, beta: 0 is PPO's clip.",
    }),
  },
  label: ({ clipLow, clipHigh, spread }) => `clip ${clipLow}/${clipHigh} by standing, ${spread}`,
  needsRatio: true,
  through: "ratio",
  range: () => null,
  ownBounds: true,
  readsStanding: true,
  cutsGradient: true,
  ratioShape: null,
  evaluate: (
    { clipLow, clipHigh, spread },
    { size, active, ratio, advantage, objective, slope, clipped, standing },
  ) => {
    const z = standing();
    for (let i = 0; i < size; i++) {
      if (active !== undefined && active[i] !== 1) continue;
      const r = ratio[i]!;
      const A = advantage[i]!;
      // 2 sigmoid(z) - 1 = tanh(z / 2)
      const factor = 1 + spread * tanh(z[i]! / 2);
      const low = 1 - factor * clipLow;
      const high = 1 + factor * clipHigh;
      const bound = boundMet(r, A, low, high);
      objective[i] = clippedRatio(r, bound, low, high) * A;
      slope[i] = bound === NO ? A : 0;
      clipped[i] = bound;
    }
  },
});
