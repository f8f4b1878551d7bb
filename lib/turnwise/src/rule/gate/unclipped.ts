import { gate, NO } from "./contract";

export const unclipped = gate({
  help: "Ratio times advantage, however far the ratio has gone.",
  equation: String.raw`rA`,
  source: "the surrogate of TRPO, arXiv 1502.05477, section 5",
  fields: {},
  label: () => "unclipped",
  needsRatio: true,
  through: "ratio",
  range: () => null,
  cutsGradient: false,
  ratioShape: "line",
  evaluate: (_, { size, ratio, advantage, objective, slope, clipped }) => {
    for (let k = 0; k < size; k++) {
      objective[k] = ratio[k]! * advantage[k]!;
      slope[k] = advantage[k]!;
      clipped[k] = NO;
    }
  },
});
