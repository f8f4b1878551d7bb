import { exp } from "../../base/elementary/exp";
import { number } from "../../schema";
import { boundMet, clippedRatio } from "./clip";
import { gate, NO } from "./contract";

export const fairClip = gate({
  help: "PPO's clip of a unit's log-ratio, in a band that grows with the root of its length: long units are not clipped more often.",
  equation: String.raw`\min\!\big(rA,\ e^{\mathrm{clip}(\log r,\,\pm c\sqrt L)}A\big)`,
  source: "FSPO (fair sequence clipping), arXiv 2509.09177",
  fields: {
    band: number(0.2, {
      above: 0,
      help: "Half the band of a unit of one token; with more tokens, it is that times the root of their number.",
      unit: "nats",
      slider: { min: 0.01, max: 2, log: true },
    }),
  },
  label: ({ band }) => `fairClip ${band}`,
  needsRatio: true,
  through: "ratio",
  range: () => null,
  ownBounds: true,
  cutsGradient: true,
  ratioShape: null,
  evaluate: ({ band }, { size, active, ratio, advantage, objective, slope, clipped, unitTokens }) => {
    const tokens = unitTokens();
    for (let i = 0; i < size; i++) {
      if (active !== undefined && active[i] !== 1) continue;
      const r = ratio[i]!;
      const A = advantage[i]!;
      const high = exp(band * Math.sqrt(tokens[i]!));
      const bound = boundMet(r, A, 1 / high, high);
      objective[i] = clippedRatio(r, bound, 1 / high, high) * A;
      slope[i] = bound === NO ? A : 0;
      clipped[i] = bound;
    }
  },
});
