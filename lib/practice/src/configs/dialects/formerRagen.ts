import type { Dialect } from "./contract";

const actor = (name: string): string => `actor_rollout_ref.actor.${name}`;

/**
 * RAGEN before May 2025, whose configuration has `training`, `optimization` and `env`.
 *
 * `mask_state` leaves the tokens of states out of the loss. In releases before 23 April 2025 it did the opposite.
 *
 * @see https://github.com/mll-lab-nu/RAGEN: config/base.yaml of March 2025, and issue 71
 */
export const formerRagen: Dialect = {
  title: "RAGEN before May 2025",
  version: "March 2025",
  base: "verl",
  tells:
    /^(training\.(mask_state|no_think_rl|n_rollout|ppo_batch_size|max_turns|start_state_marker)|optimization\.(actor_lr|critic_lr|adv_estimator|kl_coef))$/,
  names: {
    "training.train_batch_size": "data.train_batch_size",
    "training.ppo_batch_size": actor("ppo_mini_batch_size"),
    "training.n_rollout": "actor_rollout_ref.rollout.n",
    "training.temperature": "actor_rollout_ref.rollout.temperature",
    "training.max_response_length": "data.max_response_length",
    "training.max_start_length": "data.max_prompt_length",
    "training.use_kl_loss": actor("use_kl_loss"),
    "training.mask_state": actor("state_masking"),
    "optimization.actor_lr": actor("optim.lr"),
    "optimization.adv_estimator": "algorithm.adv_estimator",
    "optimization.kl_coef": actor("kl_loss_coef"),
    "optimization.kl_loss_type": actor("kl_loss_type"),
    "optimization.critic_lr": "critic.optim.lr",
  },
  defaults: { [actor("entropy_coeff")]: 0.001 },
};
