import { fraction, number } from "../../../schema";
import { byOwner, covarianceRule, shareOf } from "./contract";

export const penalty = covarianceRule({
  help: "The tokens of the largest covariance are charged for their distance from the old policy.",
  equation: String.raw`L_t\leftarrow L_t+\beta\,|\log r_t|\ \text{for the}\ \lfloor kM\rfloor\ \text{largest}\ (A_t-\bar A)(\log\pi_t-\overline{\log\pi})`,
  source:
    "KL-Cov, arXiv 2505.22617; github.com/PRIME-RL/Entropy-Mechanism-of-RL at 8850579, verl/trainer/ppo/core_algos.py:426-467; verl 0.9.1, verl/trainer/ppo/core_algos.py:1849-1925",
  fields: {
    share: fraction(0.002, { help: "Share of all tokens that are charged; one token at least." }),
    coef: number(1, { atLeast: 0, help: "Price of a nat.", slider: { min: 1e-3, max: 10, log: true } }),
  },
  label: ({ share, coef }) => [`KL-Cov ${share}, ${coef}`],
  active: true,
  random: false,
  taken: ({ share }, tokens) =>
    [...tokens]
      .sort((a, b) => b.covariance - a.covariance || byOwner(a, b))
      .slice(0, shareOf(share, tokens.length)),
  charge: ({ coef }) => coef,
});
