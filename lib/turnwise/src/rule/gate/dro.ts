import { log } from "../../base/elementary/log";
import { number } from "../../schema";
import { gate, NO } from "./contract";

export const dro = gate({
  help: "REINFORCE with a spring: the square of the log-ratio pulls a token back to where it was sampled, however it was sampled.",
  equation: String.raw`A\log\pi-\tfrac\beta2(\log r)^2`,
  source: "DRO, arXiv 2405.19107; verl, trainer/ppo/core_algos.py: dro",
  fields: {
    beta: number(0.1, {
      atLeast: 0,
      help: "Strength of the pull of a log-ratio back to 0.",
      slider: { min: 0, max: 10, step: 0.01 },
    }),
  },
  label: ({ beta }) => `dro ${beta}`,
  needsRatio: true,
  through: "both",
  range: () => null,
  cutsGradient: false,
  ratioShape: null,
  evaluate: ({ beta }, { size, active, ratio, advantage, logProb, ...written }) => {
    const { objective, slope, slopeLogProb, clipped } = written;
    for (let i = 0; i < size; i++) {
      if (active !== undefined && active[i] !== 1) continue;
      const d = log(ratio[i]!);
      objective[i] = advantage[i]! * logProb[i]! - (beta / 2) * d * d;
      slope[i] = (-beta * d) / ratio[i]!;
      if (slopeLogProb !== undefined) slopeLogProb[i] = advantage[i]!;
      clipped[i] = NO;
    }
  },
});
