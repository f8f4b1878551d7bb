import { exp } from "../../base/elementary/exp";
import { log } from "../../base/elementary/log";
import { number, oneOf } from "../../schema";
import { gate, HIGH, LOW, NO } from "./contract";

/** Beside 1 - p in the divergence of two coins, as verl has it: a certain token has a finite one. */
const guard = 1e-8;

/** Remaining probability of all other tokens, at least 0 in spite of rounding. */
const rest = (p: number): number => Math.max(1 - p, 0);

/** Divergences between two policies of which only the probabilities of the sampled token are known: as two coins. */
const divergences = {
  tv: (pi: number, mu: number): number => Math.abs(pi - mu),
  // By the ratio, as both probabilities may be 0 in the computer.
  kl: (pi: number, mu: number, ratio: number): number =>
    rest(mu) * log((rest(mu) + guard) / (rest(pi) + guard)) - mu * log(ratio),
};

const fields = {
  divergence: oneOf(["tv", "kl"], {
    help: "Bounded divergence: total variation, or KL, of the sampled token against all others.",
  }),
  deltaLow: number(0.15, {
    above: 0,
    help: "Largest divergence from the old policy up to which a bad outcome pushes a token down.",
    slider: { min: 0.001, max: 1, log: true },
  }),
  deltaHigh: number(0.15, {
    above: 0,
    help: "Largest divergence from the old policy up to which a good outcome pushes a token up.",
    slider: { min: 0.001, max: 1, log: true },
  }),
  cap: number(20, { above: 1, help: "The largest weight that a ratio may give." }),
};

export const dppo = gate({
  help: "A token stops learning where its probability, and not its ratio, has gone too far on the side to which its advantage pushes it.",
  equation: String.raw`\mathrm{sg}[\min(r,c)]\,A\log\pi\ \text{unless}\ D(\mu,\pi)>\delta\ \text{and}\ (\pi-\mu)A>0`,
  source: "DPPO, arXiv 2602.04879; verl, trainer/ppo/core_algos.py: dppo_tv, dppo_kl",
  fields,
  label: ({ divergence, deltaLow, deltaHigh }) => `dppo ${divergence} ${deltaLow}/${deltaHigh}`,
  needsRatio: true,
  through: "logProb",
  range: () => null,
  ownBounds: true,
  cutsGradient: true,
  ratioShape: null,
  evaluate: (o, { size, active, ratio, advantage, logProb, objective, slope, clipped }) => {
    const apart = divergences[o.divergence];
    for (let k = 0; k < size; k++) {
      if (active !== undefined && active[k] !== 1) continue;
      const A = advantage[k]!;
      const pi = exp(logProb[k]!);
      const mu = pi / ratio[k]!;
      const far = apart(pi, mu, ratio[k]!);
      const bound =
        A > 0 ? (pi > mu && far > o.deltaHigh ? HIGH : NO) : pi < mu && far > o.deltaLow ? LOW : NO;
      slope[k] = bound === NO ? Math.min(ratio[k]!, o.cap) * A : 0;
      objective[k] = slope[k]! * logProb[k]!;
      clipped[k] = bound;
    }
  },
});
