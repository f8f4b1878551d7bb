import type { Dialect } from "./contract";

const actor = (name: string): string => `actor_rollout_ref.actor.${name}`;
const rollout = (name: string): string => `actor_rollout_ref.rollout.${name}`;

/** cosmos-rl's GRPO. @see https://github.com/nvidia-cosmos/cosmos-rl: cosmos_rl/policy/config/__init__.py (GrpoConfig) */
export const cosmosRl: Dialect = {
  title: "cosmos-rl",
  version: "verl 0.9.1, as its own are not known",
  base: "verl",
  mentions: /\bcosmos[-_]rl\b/i,
  tells:
    /^(train\.train_policy\.(kl_beta|mu_iterations|epsilon_low|epsilon_high|variant|mini_batch)|train\.optm_\w+|rollout\.n_generation)$/,
  names: {
    "rollout.n_generation": rollout("n"),
    "rollout.max_response_length": "data.max_response_length",
    "rollout.sampling_config.temperature": rollout("temperature"),
    "rollout.sampling_config.top_p": rollout("top_p"),
    "train.optm_lr": actor("optim.lr"),
    "train.optm_grad_norm_clip": actor("grad_clip"),
    "train.train_batch_per_replica": "data.train_batch_size",
    "train.train_policy.mu_iterations": actor("ppo_epochs"),
    "train.train_policy.epsilon_low": actor("clip_ratio_low"),
    "train.train_policy.epsilon_high": actor("clip_ratio_high"),
    "train.train_policy.kl_beta": actor("kl_loss_coef"),
  },
  defaults: { "algorithm.adv_estimator": "grpo" },
  derived: (flags) => ({
    [actor("use_kl_loss")]: Number(flags["train.train_policy.kl_beta"] ?? 0) > 0,
    // One step on what a replica has, unless it says otherwise.
    ...("train.train_batch_per_replica" in flags && {
      [actor("ppo_mini_batch_size")]: flags["train.train_batch_per_replica"]!,
    }),
  }),
};
