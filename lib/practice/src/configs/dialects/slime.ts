import { numberOf, type FlagValue, type FlagValues } from "../given";
import type { Dialect } from "./contract";

const actor = (name: string): string => `actor_rollout_ref.actor.${name}`;
const rollout = (name: string): string => `actor_rollout_ref.rollout.${name}`;
const correction = (name: string): string => `algorithm.rollout_correction.${name}`;

const isOn = (value: FlagValue | undefined): boolean => /^(true|1)$/i.test(String(value ?? false));
/** The number of rollouts after which the reference is updated, if it ever is. */
export const REFERENCE_UPDATES = "ref_update_interval";

/** Advantages that are those of GRPO, and differ in their loss. */
const losses: Readonly<Record<string, string>> = { gspo: "gspo", cispo: "cispo" };

/** The flags of a rule whose meaning depends on others. */
function derived(flags: FlagValues): Readonly<Record<string, FlagValue>> {
  const estimator = String(flags.advantage_estimator ?? "grpo");
  const isRelative = ["grpo", "gspo", "cispo", "reinforce_plus_plus_baseline"].includes(estimator);
  const low = numberOf(flags.eps_clip) ?? 0.2;
  const [prompts, size] = [numberOf(flags.rollout_batch_size), numberOf(flags.n_samples_per_prompt) ?? 1];
  const steps = numberOf(flags.num_steps_per_rollout);
  const global = numberOf(flags.global_batch_size);
  // A step counts rollouts here and prompts in verl; without either number, slime takes one step.
  const minibatch =
    prompts === undefined
      ? undefined
      : steps !== undefined
        ? prompts / steps
        : global !== undefined
          ? global / size
          : prompts;
  const interval = numberOf(flags.update_weights_interval) ?? 1;
  return {
    "algorithm.adv_estimator":
      isRelative && isOn(flags.disable_rewards_normalization)
        ? "rewards as they are"
        : estimator === "ppo"
          ? "gae"
          : estimator in losses
            ? "grpo"
            : estimator,
    [actor("policy_loss.loss_mode")]: losses[estimator] ?? "vanilla",
    "algorithm.norm_adv_by_std_in_grpo": size > 1 && !isOn(flags.disable_grpo_std_normalization),
    [actor("clip_ratio_low")]: low,
    [actor("clip_ratio_high")]: numberOf(flags.eps_clip_high) ?? low,
    [actor("clip_ratio_c")]: numberOf(flags.eps_clip_c) ?? 1e9,
    [actor("loss_agg_mode")]: isOn(flags.calculate_per_token_loss) ? "token-mean" : "seq-mean-token-mean",
    "algorithm.use_kl_in_reward": (numberOf(flags.kl_coef) ?? 0) !== 0,
    ...(isOn(flags.use_tis) && {
      [correction("rollout_is")]: "token",
      [correction("rollout_is_threshold")]: numberOf(flags.tis_clip) ?? 2,
    }),
    // What generates by itself usually calls tools.
    [rollout("multi_turn.enable")]: flags.custom_generate_function_path !== undefined,
    ...(isOn(flags.use_rollout_logprobs) && { [correction("bypass_mode")]: true }),
    "algorithm.filter_groups.enable": /nonzero_std/.test(String(flags.dynamic_sampling_filter_path ?? "")),
    ...(minibatch !== undefined && { [actor("ppo_mini_batch_size")]: Math.max(1, Math.floor(minibatch)) }),
    ...(interval > 1 && { "async_training.staleness_threshold": interval - 1 }),
  };
}

/** The names of slime, and of miles, which began as a fork of it. */
const names: Readonly<Record<string, string>> = {
  advantage_estimator: "algorithm.adv_estimator",
  n_samples_per_prompt: rollout("n"),
  rollout_batch_size: "data.train_batch_size",
  rollout_max_response_len: "data.max_response_length",
  rollout_max_prompt_len: "data.max_prompt_length",
  rollout_max_context_len: rollout("max_model_len"),
  rollout_temperature: rollout("temperature"),
  rollout_top_p: rollout("top_p"),
  rollout_top_k: rollout("top_k"),
  global_batch_size: actor("ppo_mini_batch_size"),
  lr: actor("optim.lr"),
  clip_grad: actor("grad_clip"),
  eps_clip: actor("clip_ratio_low"),
  eps_clip_high: actor("clip_ratio_high"),
  eps_clip_c: actor("clip_ratio_c"),
  use_kl_loss: actor("use_kl_loss"),
  kl_loss_coef: actor("kl_loss_coef"),
  kl_loss_type: actor("kl_loss_type"),
  kl_coef: "algorithm.kl_ctrl.kl_coef",
  entropy_coef: actor("entropy_coeff"),
  use_tis: correction("rollout_is"),
  calculate_per_token_loss: actor("loss_agg_mode"),
  lora_rank: "actor_rollout_ref.model.lora_rank",
  // verl moves no reference: its reader knows this name alone.
  ref_update_interval: REFERENCE_UPDATES,
  custom_generate_function_path: rollout("multi_turn.enable"),
  gamma: "algorithm.gamma",
  lambd: "algorithm.lam",
  num_critic_only_steps: "trainer.critic_warmup",
  update_weights_interval: "async_training.staleness_threshold",
  dynamic_sampling_filter_path: "algorithm.filter_groups.enable",
};

const writtenBy = (trainer: string): Dialect["written"] => ({
  use_tis: (value) => value !== null,
  calculate_per_token_loss: (value) => value === "token-mean",
  kl_loss_type: (value) => (value === "mse" ? "k2" : value),
  dynamic_sampling_filter_path: (value) =>
    String(value) === "true"
      ? `${trainer}.rollout.filter_hub.dynamic_sampling_filters.check_reward_nonzero_std`
      : null,
});

const own =
  "update_weights_interval|rollout_max_response_len|use_tis|tis_clip|num_rollout|rm_type|rollout_num_gpus|rollout_num_gpus_per_engine|actor_num_gpus_per_node|hf_checkpoint|custom_rm_path|num_steps_per_rollout|sglang_mem_fraction_static|over_sampling_batch_size|dynamic_sampling_filter_path|rollout_temperature|eps_clip_c|eps_clip_high|rollout_max_prompt_len|rollout_max_context_len|use_opsm|disable_grpo_std_normalization|disable_rewards_normalization|custom_generate_function_path|rollout_function_path|use_rollout_logprobs";

const defaults: Readonly<Record<string, FlagValue>> = {
  "data.max_response_length": null,
  "data.max_prompt_length": null,
  [rollout("name")]: "sglang",
  [actor("kl_loss_coef")]: 0,
  [actor("kl_loss_type")]: "k1",
  "algorithm.kl_ctrl.kl_coef": 0,
};

/**
 * slime, which counts a step's batch in rollouts.
 *
 * @see https://github.com/THUDM/slime at 624b824a898ab0ec1fcb4d373004c7f3852bf515: slime/utils/arguments.py, slime/ray/rollout.py
 * (normalization of rewards), slime/backends/megatron_utils/loss.py
 */
export const slime: Dialect = {
  title: "slime",
  version: "624b824",
  base: "verl",
  mentions: /\bslime\b|\btrain_async\.py\b/,
  tells: new RegExp(`^(${own})$`),
  names,
  defaults,
  derived,
  isTyped: true,
  countsRollouts: true,
  written: writtenBy("slime"),
};

/**
 * miles, which has slime's flags and some of its own.
 *
 * @see https://github.com/radixark/miles at 31f1ca961a94cb860cec3b2dea34ec332bfa8f76: miles/utils/arguments.py
 */
export const miles: Dialect = {
  ...slime,
  title: "miles",
  version: "31f1ca9",
  mentions: /\bmiles\b/,
  written: writtenBy("miles"),
  tells: new RegExp(
    `^(${own}|use_miles_router|miles_\\w+|true_on_policy_mode|train_backend|max_weight_staleness|mask_offpolicy_in_partial_rollout|multi_lora_\\w+)$`,
  ),
};
