import type { Dialect } from "./contract";

const actor = (name: string): string => `actor_rollout_ref.actor.${name}`;
const rollout = (name: string): string => `actor_rollout_ref.rollout.${name}`;

/**
 * AReaL's PPO and GRPO.
 *
 * A KL is charged in the reward where `kl_ctl` is not 0. `max_head_offpolicyness` is how many versions rollouts may be behind.
 *
 * @see areal 1.0.4 on PyPI: areal/api/cli_args.py (PPOActorConfig, GenerationHyperparameters, InferenceEngineConfig)
 */
export const areal: Dialect = {
  title: "AReaL",
  version: "1.0.4",
  base: "verl",
  mentions: /\bareal\b/i,
  tells:
    /^(actor\.(eps_clip|ppo_n_minibatches|kl_ctl|recompute_logprob|use_decoupled_loss|adv_norm\.\w+|reward_norm\.\w+|behav\w+)|gconfig\.\w+|rollout\.max_head_offpolicyness)$/,
  names: {
    "gconfig.n_samples": rollout("n"),
    "gconfig.temperature": rollout("temperature"),
    "gconfig.top_p": rollout("top_p"),
    "gconfig.max_new_tokens": "data.max_response_length",
    "train_dataset.batch_size": "data.train_batch_size",
    "actor.optimizer.lr": actor("optim.lr"),
    "actor.optimizer.gradient_clipping": actor("grad_clip"),
    "actor.eps_clip": actor("clip_ratio_low"),
    "actor.c_clip": actor("clip_ratio_c"),
    "actor.kl_ctl": "algorithm.kl_ctrl.kl_coef",
    "actor.discount": "algorithm.gamma",
    "actor.gae_lambda": "algorithm.lam",
    "rollout.max_head_offpolicyness": "async_training.staleness_threshold",
  },
  defaults: {
    "algorithm.adv_estimator": "grpo",
    "data.max_response_length": 16384,
    "algorithm.kl_ctrl.kl_coef": 0.1,
    [actor("optim.lr")]: 1e-3,
  },
  derived: (flags) => {
    const batch = Number(flags["train_dataset.batch_size"] ?? 0);
    const parts = Number(flags["actor.ppo_n_minibatches"] ?? 4);
    const isOn = (name: string): boolean => String(flags[name] ?? false).toLowerCase() === "true";
    return {
      ...(batch > 0 && { [actor("ppo_mini_batch_size")]: Math.max(1, Math.round(batch / parts)) }),
      [actor("clip_ratio_high")]: Number(flags["actor.eps_clip_higher"] ?? flags["actor.eps_clip"] ?? 0.2),
      ...((flags["actor.c_clip"] ?? null) === null && { [actor("clip_ratio_c")]: 1e9 }),
      "algorithm.use_kl_in_reward": Number(flags["actor.kl_ctl"] ?? 0.1) !== 0,
      ...(isOn("actor.use_decoupled_loss") && { "algorithm.rollout_correction.rollout_is": "token" }),
    };
  },
};
