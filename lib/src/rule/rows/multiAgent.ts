import type { Row } from "./row";
import { ourReuse, reuse } from "./shared";

/** Rules that know who took a turn. */
export const multiAgent = {
  drMas: {
    title: "Dr. MAS",
    equation: String.raw`A=\frac{R_i-\mu_k}{\sigma_k},\quad k=(\text{task},\text{agent})`,
    source: "arXiv 2602.08847; compute_advantage in langfengQ/DrMAS at 19c632b [P]",
    deviations: [
      "every turn of an agent counts in its baseline, as in the code with group_by_agent_id (verl/trainer/ppo/core_algos.py:543; without it, one average for each trajectory): with one agent it is GRPO weighted by turns",
      "an agent that takes one turn in a group gets mean 0 and deviation 1 (core_algos.py:554); the code divides by 1 + 1e-6 there",
      "the mean over tokens (verl/trainer/config/ppo_trainer.yaml:58) and dual clip at 3 (core_algos.py:880) are the code's, which adds 1e-8 to the number of tokens (verl/utils/torch_functional.py:149)",
      ourReuse,
    ],
    shown: [],
    cells: {
      advantage: { kind: "mean", groupBy: "taskAgent", allowSingleton: true },
      scale: "group",
      ratio: "token",
      gate: "dualClip",
      aggregate: "tokenMean",
      update: reuse,
    },
  },
  happo: {
    title: "HAPPO, a turn as an agent",
    equation: String.raw`\mathbb{E}\big[\min(r_{i_m}M,\mathrm{clip}(r_{i_m})M)\big],\quad M=\prod_{j<m}\frac{\bar\pi^{i_j}}{\pi^{i_j}}\,\hat A`,
    source: "Zhong et al., JMLR 2024, Eq. 11; PKU-MARL/HARL [P]",
    deviations: [
      "agents are turns of one policy, which may share parameters: HAML's guarantee assumes they do not [P]",
      "the factor multiplies the advantage; being positive, that equals multiplying min(...) from outside (tested)",
      "advantages are whitened with n in the variance and 1e-5 beside the deviation (harl/runners/on_policy_ha_runner.py:45), and a turn's loss is the mean over those who act (harl/algorithms/actors/happo.py:81), as in the code at d539bad",
      ourReuse,
    ],
    shown: ["with one agent and the same whitening it is PPO"],
    cells: {
      advantage: { kind: "gae", level: "turn" },
      scale: { kind: "batch", unbiased: false, epsilon: 1e-5 },
      ratio: { level: "turn", pooling: "product" },
      gate: "clip",
      aggregate: { kind: "constant", length: 1, per: "turn" },
      order: { kind: "random", oldLogProb: "rollout", carry: { kind: "exact", pooling: "product" } },
      update: reuse,
    },
  },
} as const satisfies Readonly<Record<string, Row>>;
