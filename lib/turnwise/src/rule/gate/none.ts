import { gate, NO } from "./contract";

export const none = gate({
  help: "REINFORCE's score function: no ratio, so the batch is used as if it came from the present policy.",
  equation: String.raw`A\log\pi`,
  source: "Williams, Machine Learning 8 (1992), https://doi.org/10.1007/BF00992696",
  fields: {},
  label: () => "none",
  needsRatio: false,
  through: "logProb",
  range: () => null,
  cutsGradient: false,
  ratioShape: "line",
  evaluate: (_, { size, advantage, logProb, objective, slope, clipped }) => {
    for (let k = 0; k < size; k++) {
      objective[k] = advantage[k]! * logProb[k]!;
      slope[k] = advantage[k]!;
      clipped[k] = NO;
    }
  },
});
