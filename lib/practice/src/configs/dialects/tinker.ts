import { numberOf, type FlagValues } from "../given";
import type { Dialect } from "./contract";

const actor = (name: string): string => `actor_rollout_ref.actor.${name}`;
const rollout = (name: string): string => `actor_rollout_ref.rollout.${name}`;
const LOSS = actor("policy_loss.loss_mode");

/**
 * The RL recipes of Tinker's cookbook, which log their configuration as `config.json`. Ratios are to the log-probs of the sampler, and
 * groups are compared with their mean.
 *
 * @see https://github.com/thinking-machines-lab/tinker-cookbook at 9dfcc3a2cf44432d621a01005073dc6d76a1e87a: `tinker_cookbook/rl/train.py` (Config)
 */
export const tinker: Dialect = {
  title: "Tinker's cookbook",
  version: "9dfcc3a",
  base: "verl",
  mentions: /\btinker[-_]cookbook\b/,
  tells:
    /^(loss_fn|num_substeps|kl_penalty_coef|groups_per_batch|(async_config\.)?(max_steps_off_policy|pipeline_depth)|remove_constant_reward_groups|dataset_builder\.\w+)$/,
  names: {
    "dataset_builder.group_size": rollout("n"),
    group_size: rollout("n"),
    "dataset_builder.batch_size": "data.train_batch_size",
    groups_per_batch: "data.train_batch_size",
    num_substeps: actor("ppo_mini_batch_size"),
    loss_fn: LOSS,
    learning_rate: actor("optim.lr"),
    lora_rank: "actor_rollout_ref.model.lora_rank",
    max_tokens: "data.max_response_length",
    temperature: rollout("temperature"),
    kl_penalty_coef: "algorithm.kl_ctrl.kl_coef",
    "async_config.max_steps_off_policy": "async_training.staleness_threshold",
    max_steps_off_policy: "async_training.staleness_threshold",
    remove_constant_reward_groups: "algorithm.filter_groups.enable",
  },
  defaults: {
    "algorithm.adv_estimator": "grpo",
    "algorithm.norm_adv_by_std_in_grpo": false,
    "algorithm.rollout_correction.bypass_mode": true,
    "actor_rollout_ref.model.lora_rank": 32,
    [actor("loss_agg_mode")]: "token-sum",
    [actor("clip_ratio_c")]: 1e9,
    [LOSS]: "importance_sampling",
  },
  written: {
    loss_fn: (value) => (value === "vanilla" ? "ppo" : value),
    num_substeps: () => 1,
  },
  derived: (flags: FlagValues) => {
    const batch = numberOf(flags["dataset_builder.batch_size"] ?? flags.groups_per_batch);
    const steps = numberOf(flags.num_substeps) ?? 1;
    return {
      ...(flags.loss_fn === "ppo" && { [LOSS]: "vanilla" }),
      "algorithm.use_kl_in_reward": (numberOf(flags.kl_penalty_coef) ?? 0) > 0,
      ...(batch !== undefined && { [actor("ppo_mini_batch_size")]: Math.max(1, Math.floor(batch / steps)) }),
    };
  },
};
