import type { FlagValue, FlagValues } from "../given";
import type { Dialect } from "./contract";

const actor = (name: string): string => `actor_rollout_ref.actor.${name}`;
const rollout = (name: string): string => `actor_rollout_ref.rollout.${name}`;

/** Its returns without a critic, by what they are normalized with. */
function estimatorOf(flags: FlagValues): Readonly<Record<string, FlagValue>> {
  if (!/^(?:step_|agentic_)?reinforce$/.test(String(flags.adv_estimator))) return {};
  const isMean = String(flags["reward_normalization.method"] ?? "").startsWith("mean");
  const grouped = flags["reward_normalization.grouping"] === "traj_group_id" && isMean;
  const normalized = (name: string): boolean =>
    [flags[name], flags[`reward_normalization.${name}`]].includes("group") || grouped;
  if (normalized("norm_mean_type")) {
    return {
      "algorithm.adv_estimator": "grpo",
      "algorithm.norm_adv_by_std_in_grpo": normalized("norm_std_type"),
    };
  }
  return String(flags.whiten_advantages).toLowerCase() === "true"
    ? { "algorithm.adv_estimator": "reinforce_plus_plus" }
    : {};
}

/** Its GiGPO: returns of steps have a discount of their own, and both parts a weight; what divides them is that of all its returns. */
function gigpoOf(flags: FlagValues): Readonly<Record<string, FlagValue>> {
  if (flags.adv_estimator !== "gigpo") return {};
  const weight = Number(flags.step_reward_weight ?? 1) / Number(flags.episode_reward_weight ?? 1);
  const isDivided = [flags["reward_normalization.method"], flags["reward_normalization.norm_std_type"]].some(
    (one) => one === "mean_std" || one === "group",
  );
  return {
    "algorithm.gigpo.step_advantage_w": weight,
    "algorithm.gamma": Number(flags.step_reward_gamma ?? 0.95),
    "algorithm.gigpo.mode": isDivided ? "mean_std_norm" : "mean_norm",
  };
}

/**
 * ROLL's PPO family.
 *
 * @see https://github.com/alibaba/ROLL at 0a6a47e5afdc97749b353425b54f45296d9df3ff: roll/configs/base_config.py (PPOConfig),
 * roll/pipeline/agentic/agentic_config.py and utils.py (GiGPO)
 */
export const roll: Dialect = {
  title: "ROLL",
  version: "0a6a47e",
  base: "verl",
  mentions: /start_(rlvr|agentic)_pipeline/,
  tells:
    /^(num_return_sequences_in_group|use_pg_clip_range|pg_clip|pg_clip_(low|high)|dual_clip_loss|actor_infer\.generating_args\.\w+|actor_train\.training_args\.\w+|whiten_advantages|add_token_level_kl|(step|episode)_reward_weight|step_reward_gamma)$/,
  names: {
    adv_estimator: "algorithm.adv_estimator",
    "train_env_manager.group_size": rollout("n"),
    num_return_sequences_in_group: rollout("n"),
    rollout_batch_size: "data.train_batch_size",
    prompt_length: "data.max_prompt_length",
    "actor_infer.generating_args.max_new_tokens": "data.max_response_length",
    response_length: "data.max_response_length",
    ppo_epochs: actor("ppo_epochs"),
    max_grad_norm: actor("grad_clip"),
    step_reward_gamma: "algorithm.gamma",
    gamma: "algorithm.gamma",
    step_reward_weight: "algorithm.gigpo.step_advantage_w",
    lambd: "algorithm.lam",
    use_kl_loss: actor("use_kl_loss"),
    kl_loss_coef: actor("kl_loss_coef"),
    add_token_level_kl: "algorithm.use_kl_in_reward",
    init_kl_coef: "algorithm.kl_ctrl.kl_coef",
    entropy_loss_coef: actor("entropy_coeff"),
    loss_agg_mode: actor("loss_agg_mode"),
    async_generation_ratio: "async_training.staleness_threshold",
    "actor_train.training_args.learning_rate": actor("optim.lr"),
    "actor_infer.generating_args.temperature": rollout("temperature"),
    "actor_infer.generating_args.top_p": rollout("top_p"),
    "actor_infer.generating_args.top_k": rollout("top_k"),
    critic_warmup: "trainer.critic_warmup",
  },
  defaults: {
    "algorithm.adv_estimator": "gae",
    "algorithm.lam": 0.95,
    [actor("kl_loss_coef")]: 0,
    "algorithm.kl_ctrl.kl_coef": 0.2,
    [actor("loss_agg_mode")]: "seq-mean-token-mean",
  },
  derived: (flags) => {
    const isOn = (name: string): boolean => String(flags[name] ?? false).toLowerCase() === "true";
    const clip = Number(flags.pg_clip ?? 0.2);
    const batch = Number(flags.rollout_batch_size ?? 0) * Number(flags.num_return_sequences_in_group ?? 1);
    const step =
      Number(flags["actor_train.training_args.per_device_train_batch_size"] ?? NaN) *
      Number(flags["actor_train.training_args.gradient_accumulation_steps"] ?? NaN);
    return {
      ...estimatorOf(flags),
      ...gigpoOf(flags),
      [actor("clip_ratio_low")]: isOn("use_pg_clip_range") ? Number(flags.pg_clip_low ?? 0.2) : clip,
      [actor("clip_ratio_high")]: isOn("use_pg_clip_range") ? Number(flags.pg_clip_high ?? 0.2) : clip,
      ...(!isOn("dual_clip_loss") && { [actor("clip_ratio_c")]: 1e9 }),
      // Without the number of processes this is the least that a step may hold.
      ...(batch > 0 &&
        step > 0 && { [actor("ppo_mini_batch_size")]: Math.max(1, Number(flags.rollout_batch_size)) }),
    };
  },
};
