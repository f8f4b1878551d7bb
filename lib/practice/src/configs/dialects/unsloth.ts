import type { FlagValue } from "../given";
import type { Dialect } from "./contract";

/**
 * Unsloth: TRL's GRPOConfig, and a trainer that is patched when `unsloth` is imported, with defaults of its own.
 *
 * @see unslothai/unsloth at commit 0050c73: unsloth/models/rl.py
 */
export const unsloth: Dialect = {
  title: "Unsloth (TRL)",
  version: "commit 0050c73 on TRL 1.16.0",
  base: "trl",
  mentions: /^unsloth$/,
  defaults: {
    beta: 0.001,
    loss_type: "bnpo",
    vllm_importance_sampling_correction: false,
    learning_rate: 5e-5,
    per_device_train_batch_size: 4,
    gradient_accumulation_steps: 2,
    num_generations: 8,
  },
  // It sets what the papers of two losses recommend, whatever is given.
  derived: ({ loss_type: loss }): Readonly<Record<string, FlagValue>> =>
    loss === "dapo"
      ? { mask_truncated_completions: true, epsilon_high: 0.28 }
      : loss === "dr_grpo"
        ? { scale_rewards: false }
        : {},
};
