import type { Dialect } from "./contract";

/** Whether groups of equal rewards leave the batch, which is on unless it is turned off. */
export const EQUAL_GROUPS = "filter_zero_std_samples";

/**
 * open-instruct's `grpo_fast.py` and `grpo.py`.
 *
 * Its rule is DAPO's clip with token sums; `num_mini_batches` divides a batch, as `steps_per_generation` does.
 *
 * @see https://github.com/allenai/open-instruct at 0063d1271f28a3f7f9a086cfbd2a4801b59a5357: open_instruct/grpo_utils.py
 */
export const openInstruct: Dialect = {
  title: "open-instruct",
  version: "0063d12",
  base: "trl",
  mentions: /\bopen_instruct\b/,
  tells:
    /^(num_samples_per_prompt_rollout|num_unique_prompts_rollout|num_mini_batches|clip_higher|clip_lower|advantage_normalization_type|apply_verifiable_reward|inflight_updates|truncated_importance_sampling_ratio_cap)$/,
  names: {
    num_samples_per_prompt_rollout: "num_generations",
    num_mini_batches: "steps_per_generation",
    num_epochs: "num_iterations",
    learning_rate: "learning_rate",
    max_grad_norm: "max_grad_norm",
    temperature: "temperature",
    beta: "beta",
    clip_lower: "epsilon",
    clip_higher: "epsilon_high",
    response_length: "max_completion_length",
    max_prompt_token_length: "max_prompt_length",
    mask_truncated_completions: "mask_truncated_completions",
    ref_policy_update_freq: "sync_ref_model",
    [EQUAL_GROUPS]: EQUAL_GROUPS,
  },
  written: {
    ref_policy_update_freq: (value) => (value === true ? 200 : typeof value === "number" ? value : null),
  },
  defaults: {
    beta: 0.05,
    epsilon: 0.2,
    epsilon_high: 0.272,
    loss_type: "dapo",
    use_vllm: true,
    num_generations: 4,
    learning_rate: 2e-5,
    temperature: 0.7,
  },
  derived: (flags) => ({
    ...(Number(flags.ref_policy_update_freq ?? 0) > 0 && { sync_ref_model: true }),
    vllm_importance_sampling_correction: Number(flags.truncated_importance_sampling_ratio_cap ?? 2) > 0,
    scale_rewards: flags.advantage_normalization_type === "centered" ? "none" : "group",
  }),
};
