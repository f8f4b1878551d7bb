import type { Dialect } from "./contract";

/**
 * Search-R1 and its kin, on a fork of verl 0.2: a KL is charged in the reward unless it is in the loss, and entropy is paid for.
 *
 * @see https://github.com/PeterGriffinJin/Search-R1: verl/trainer/config/ppo_trainer.yaml, verl/trainer/ppo/ray_trainer.py (fit)
 */
export const searchR1: Dialect = {
  title: "Search-R1 (verl)",
  version: "fork of verl 0.2",
  base: "verl",
  mentions: /\bsearch[-_]?r1\b/i,
  tells:
    /^(actor_rollout_ref\.rollout\.n_agent|actor_rollout_ref\.actor\.state_masking|algorithm\.no_think_rl|data\.max_(start|obs)_length|retriever\.\w+|do_search|algorithm\.state_masking\.\w+)$/,
  defaults: {
    "actor_rollout_ref.actor.entropy_coeff": 0.001,
    "data.max_response_length": 500,
    "actor_rollout_ref.actor.clip_ratio_c": 1e9,
  },
  derived: (flags) => ({
    "algorithm.use_kl_in_reward":
      String(flags["actor_rollout_ref.actor.use_kl_loss"] ?? false).toLowerCase() !== "true",
  }),
};
