import type { Dialect } from "./contract";

/** verl-agent: verl with environments of several turns. @see https://github.com/langfengQ/verl-agent: verl/trainer/config/ppo_trainer.yaml */
export const verlAgent: Dialect = {
  title: "verl-agent",
  version: "verl 0.9.1",
  base: "verl",
  mentions: /\bverl[-_]agent\b/,
  tells:
    /^(env\.(env_name|rollout\.n|max_steps|history_length|seed)|algorithm\.gigpo\.\w+|actor_rollout_ref\.actor\.use_invalid_action_penalty)$/,
};
