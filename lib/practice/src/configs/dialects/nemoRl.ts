import type { Dialect } from "./contract";

const actor = (name: string): string => `actor_rollout_ref.actor.${name}`;
const rollout = (name: string): string => `actor_rollout_ref.rollout.${name}`;

/**
 * NeMo RL's GRPO.
 *
 * `train_global_batch_size` counts rollouts. Without `use_leave_one_out_baseline` the mean of the group is the baseline; both are
 * divided by the deviation where `normalize_rewards` is on.
 *
 * @see https://github.com/NVIDIA-NeMo/RL at 00294d9baabcf4c4a7bf4aee138e41914c6cb94c: examples/configs/grpo_math_1B.yaml
 */
export const nemoRl: Dialect = {
  title: "NeMo RL",
  version: "00294d9",
  base: "verl",
  mentions: /\bnemo[-_]rl\b/i,
  tells:
    /^(grpo\.(num_prompts_per_step|num_generations_per_prompt|normalize_rewards|use_leave_one_out_baseline|async_grpo\.\w+)|loss_fn\.\w+|policy\.generation\.)/,
  names: {
    "grpo.num_generations_per_prompt": rollout("n"),
    "grpo.num_prompts_per_step": "data.train_batch_size",
    "grpo.normalize_rewards": "algorithm.norm_adv_by_std_in_grpo",
    "loss_fn.reference_policy_kl_penalty": actor("kl_loss_coef"),
    "loss_fn.ratio_clip_min": actor("clip_ratio_low"),
    "loss_fn.ratio_clip_max": actor("clip_ratio_high"),
    "loss_fn.ratio_clip_c": actor("clip_ratio_c"),
    "policy.max_grad_norm": actor("grad_clip"),
    "policy.optimizer.kwargs.lr": actor("optim.lr"),
    "policy.generation.backend": rollout("name"),
    "policy.generation.temperature": rollout("temperature"),
    "policy.generation.top_p": rollout("top_p"),
    "policy.generation.top_k": rollout("top_k"),
    "policy.generation.max_new_tokens": "data.max_response_length",
    "grpo.use_dynamic_sampling": "algorithm.filter_groups.enable",
    "grpo.dynamic_sampling_max_gen_batches": "algorithm.filter_groups.max_num_gen_batches",
    "grpo.async_grpo.max_trajectory_age_steps": "async_training.staleness_threshold",
  },
  defaults: {
    "algorithm.adv_estimator": "grpo",
    [actor("use_kl_loss")]: true,
    [actor("kl_loss_coef")]: 0.01,
    [rollout("n")]: 16,
    "data.train_batch_size": 32,
    "algorithm.filter_groups.max_num_gen_batches": 10,
  },
  derived: (flags) => {
    const isOn = (name: string): boolean => String(flags[name] ?? false).toLowerCase() === "true";
    const perPrompt = Number(flags["grpo.num_generations_per_prompt"] ?? 16);
    const batch = Number(flags["policy.train_global_batch_size"] ?? 512);
    const c = flags["loss_fn.ratio_clip_c"];
    const context = flags["policy.max_total_sequence_length"];
    const adapter = ["policy.dtensor_cfg.lora_cfg", "policy.megatron_cfg.peft"].find((one) =>
      isOn(`${one}.enabled`),
    );
    return {
      // Its configurations let answers fill the context.
      ...(context !== undefined &&
        flags["policy.generation.max_new_tokens"] === undefined && { "data.max_response_length": context }),
      ...(adapter !== undefined && {
        "actor_rollout_ref.model.lora_rank": Number(flags[`${adapter}.dim`] ?? 8),
      }),
      // Counted in prompts, as verl does.
      [actor("ppo_mini_batch_size")]: Math.max(1, Math.round(batch / perPrompt)),
      ...(isOn("loss_fn.use_importance_sampling_correction") && {
        "algorithm.rollout_correction.rollout_is": "token",
      }),
      ...(isOn("loss_fn.sequence_level_importance_ratios") && { [actor("policy_loss.loss_mode")]: "gspo" }),
      ...(String(flags["loss_fn.token_level_loss"] ?? true).toLowerCase() === "false" && {
        [actor("loss_agg_mode")]: "seq-mean-token-mean",
      }),
      ...(c === null || c === undefined ? { [actor("clip_ratio_c")]: 1e9 } : {}),
      ...(isOn("grpo.async_grpo.enabled") ? {} : { "async_training.staleness_threshold": 0 }),
      ...(Number(flags["loss_fn.reference_policy_kl_penalty"] ?? 0.01) === 0 && {
        [actor("use_kl_loss")]: false,
      }),
    };
  },
};
