import { fraction } from "../../schema";
import { term } from "../term";

/** Which tokens decide: those in whose place the policy hesitates. */
export const entropyShare = term({
  equation: String.raw`L_t\leftarrow\mathbb{1}[H_t\ge\tau_\rho]\,L_t,\quad \tau_\rho:\ \text{quantile}\ 1-\rho\ \text{of}\ H`,
  source:
    "Beyond the 80/20 rule, arXiv 2506.01939, Eq. 5; TRL 1.16.0, trl/trainer/grpo_trainer.py:1380-1416, github.com/huggingface/trl",
  field: fraction(1, {
    help: "Share of tokens, those of the highest entropy, that take part in the objective; 1 for all of them.",
    slider: { min: 0, max: 1, step: 0.05 },
  }),
  label: (share) => (share === 1 ? [] : [`top ${share} by entropy`]),
});

/**
 * The entropy that a token must reach to be among the highest share: the quantile 1 - share, between two entropies as
 * PyTorch and NumPy take it.
 */
export function entropyThreshold(entropies: readonly number[], share: number): number {
  const sorted = [...entropies].sort((a, b) => a - b);
  const at = (1 - share) * (sorted.length - 1);
  const below = Math.floor(at);
  const [lower, upper] = [sorted[below]!, sorted[Math.min(below + 1, sorted.length - 1)]!];
  return lower + (upper - lower) * (at - below);
}
