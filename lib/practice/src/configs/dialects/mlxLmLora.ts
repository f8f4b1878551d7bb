import type { FlagValue } from "../given";
import type { Dialect } from "./contract";

/**
 * mlx-lm-lora's GRPO: a YAML, or `mlx_lm_lora.train --train-mode grpo`. Its batch counts prompts.
 *
 * @see https://github.com/Goekdeniz-Guelmez/mlx-lm-lora at dfaaaed530d122cd03156f7e43d1f876d2af3dbc: mlx_lm_lora/train.py
 */
export const mlxLmLora: Dialect = {
  title: "mlx-lm-lora",
  version: "dfaaaed",
  base: "trl",
  mentions: /\bmlx[_-]lm[_-]lora\b/i,
  tells:
    /^(train_mode|lora_parameters\.\w+|steps_per_(report|eval)|grpo_loss_type|reward_functions(_file)?|qat_\w+|clip_epsilon_logits)$/,
  names: {
    group_size: "num_generations",
    beta: "beta",
    epsilon: "epsilon",
    epsilon_high: "epsilon_high",
    delta: "delta",
    learning_rate: "learning_rate",
    max_completion_length: "max_completion_length",
    temperature: "temperature",
    top_p: "top_p",
    top_k: "top_k",
    min_p: "min_p",
    grpo_loss_type: "loss_type",
    importance_sampling_level: "importance_sampling_level",
    "lora_parameters.rank": "lora_r",
    reward_weights: "reward_weights",
  },
  defaults: {
    beta: 0.1,
    num_generations: 4,
    temperature: 0.8,
    learning_rate: 1e-5,
    max_completion_length: 512,
    loss_type: "grpo",
    vllm_importance_sampling_correction: false,
    lora_r: 8,
  },
  derived: (flags): Readonly<Record<string, FlagValue>> => {
    const [group, batch] = [Number(flags.group_size ?? 4), Number(flags.batch_size ?? 4)];
    return {
      // Its default width is that of ratios of sequences, and with one step a batch no ratio ever meets it.
      ...(!("epsilon" in flags) && { epsilon: 0.2 }),
      ...(Number.isFinite(group * batch) && { per_device_train_batch_size: group * batch }),
      gradient_accumulation_steps: Number(flags.gradient_accumulation_steps ?? 1),
    };
  },
};
