import { fraction, number, renamed } from "../../../schema";
import { byOwner, covarianceRule, shareOf } from "./contract";

export const clip = covarianceRule({
  help: "Drops a random few of the tokens with a covariance within the bounds from the objective.",
  equation: String.raw`L_t\leftarrow0\ \text{for}\ \lfloor rM\rfloor\ \text{of}\ \{t:\omega_{lo}<(A_t-\bar A)(\log\pi_t-\overline{\log\pi})<\omega_{hi}\}`,
  source:
    "Clip-Cov, arXiv 2505.22617; github.com/PRIME-RL/Entropy-Mechanism-of-RL at 8850579, verl/trainer/ppo/core_algos.py:469-518; verl 0.9.1, verl/trainer/ppo/core_algos.py:1744-1845",
  fields: {
    share: fraction(0.0002, { help: "Share of all tokens that are left out; one token at least." }),
    min: renamed("least", number(1, { help: "The covariance that a token must exceed.", unit: "nats" })),
    max: renamed("most", number(5, { help: "The covariance that a token must stay below.", unit: "nats" })),
  },
  label: ({ share, min, max }) => [`Clip-Cov ${share} in ${min}..${max}`],
  active: true,
  random: true,
  taken: ({ share, min, max }, tokens) =>
    tokens
      .filter(({ covariance, clipped }) => !clipped && covariance > min && covariance < max)
      .sort((a, b) => a.draw - b.draw || byOwner(a, b))
      .slice(0, shareOf(share, tokens.length)),
  charge: () => null,
});
