import { number } from "../../schema";
import { gate, HIGH, LOW, NO } from "./contract";

export const logClip = gate({
  help: "Every token's log-ratio is clipped on the side to which its advantage pushes it, and only then do tokens share a ratio.",
  equation: String.raw`rA,\quad d_t\leftarrow\min(d_t,\delta_{hi})\ (A>0),\ \max(d_t,-\delta_{lo})\ (A<0)`,
  source: "GMPO, arXiv 2507.20673, Eq. 4; verl, trainer/ppo/core_algos.py: geo_mean",
  fields: {
    logLow: number(0.4, {
      above: 0,
      help: "Lower bound of a token's log-ratio, below which a bad outcome stops pushing it down; nats.",
      slider: { min: 0.01, max: 4, log: true },
    }),
    logHigh: number(0.4, {
      above: 0,
      help: "Upper bound of a token's log-ratio, above which a good outcome stops pushing it up; nats.",
      slider: { min: 0.01, max: 4, log: true },
    }),
  },
  label: ({ logLow, logHigh }) => `logClip ${logLow}/${logHigh}`,
  needsRatio: true,
  through: "ratio",
  // Its bounds are those of single tokens, while what is compared with a range is the ratio of a unit.
  range: () => null,
  ownBounds: true,
  cutsGradient: false,
  ratioShape: null,
  beforePooling: ({ logLow, logHigh }, d, A) =>
    A > 0 ? Math.min(d, logHigh) : A < 0 ? Math.max(d, -logLow) : d,
  evaluate: ({ logLow, logHigh }, { size, ratio, advantage, objective, slope, clipped, logRatio }) => {
    const d = logRatio();
    for (let k = 0; k < size; k++) {
      const A = advantage[k]!;
      objective[k] = ratio[k]! * A;
      slope[k] = A;
      clipped[k] = A > 0 && d[k]! > logHigh ? HIGH : A < 0 && d[k]! < -logLow ? LOW : NO;
    }
  },
});
