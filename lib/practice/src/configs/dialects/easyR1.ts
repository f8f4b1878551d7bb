import type { FlagValue, FlagValues } from "../given";
import type { Dialect } from "./contract";

const actor = (name: string): string => `actor_rollout_ref.actor.${name}`;
const rollout = (name: string): string => `actor_rollout_ref.rollout.${name}`;

/** Its words for a loss and for a mean, each with verl's. */
const lossModes: Readonly<Record<string, string>> = {
  default: "vanilla",
  gspo: "gspo",
  gspo_token: "gspo",
  cispo: "cispo",
  sapo: "sapo",
};
const means: Readonly<Record<string, string>> = { token: "token-mean", seq: "seq-mean-token-mean" };

/** Its words are handed on where they are unknown: verl's reader refuses them by name. */
function lossOf(flags: FlagValues): Readonly<Record<string, FlagValue>> {
  const [mode, mean] = [flags["worker.actor.loss_type"], flags["worker.actor.loss_avg_mode"]];
  return {
    ...(mode !== undefined && { [actor("policy_loss.loss_mode")]: lossModes[String(mode)] ?? mode }),
    ...(mean !== undefined && { [actor("loss_agg_mode")]: means[String(mean)] ?? mean }),
  };
}

/**
 * EasyR1, which has verl's rules under names of its own.
 *
 * Where a KL is in the loss or in the reward, `algorithm` says for both.
 *
 * @see https://github.com/hiyouga/EasyR1 at 27c93cf59d82845006bc3b28d0f14e3c10f6a858: verl/workers/actor/config.py,
 * verl/trainer/core_algos.py (compute_policy_loss, average_loss), and
 * examples/config.yaml at 0243608d3a1617c6ab33aaf8828c9025356da7b8
 */
export const easyR1: Dialect = {
  title: "EasyR1",
  version: "27c93cf",
  base: "verl",
  // verl's own command is main_ppo.
  mentions: /\bverl\.trainer\.main(?![_\w])/,
  tells: /^(data\.rollout_batch_size|worker\.(actor|rollout|ref|reward)\.|algorithm\.disable_kl)/,
  names: {
    "data.rollout_batch_size": "data.train_batch_size",
    "data.max_prompt_length": "data.max_prompt_length",
    "data.max_response_length": "data.max_response_length",
    "algorithm.adv_estimator": "algorithm.adv_estimator",
    "algorithm.gamma": "algorithm.gamma",
    "algorithm.lam": "algorithm.lam",
    "algorithm.online_filtering": "algorithm.filter_groups.enable",
    "worker.actor.global_batch_size": actor("ppo_mini_batch_size"),
    "worker.actor.ppo_epochs": actor("ppo_epochs"),
    "worker.actor.max_grad_norm": actor("grad_clip"),
    "worker.actor.optim.lr": actor("optim.lr"),
    "worker.actor.clip_ratio_low": actor("clip_ratio_low"),
    "worker.actor.clip_ratio_high": actor("clip_ratio_high"),
    "worker.actor.clip_ratio_dual": actor("clip_ratio_c"),
    "worker.actor.entropy_coeff": actor("entropy_coeff"),
    "worker.actor.use_kl_loss": actor("use_kl_loss"),
    "worker.actor.kl_loss_coef": actor("kl_loss_coef"),
    "worker.actor.kl_loss_type": actor("kl_loss_type"),
    "worker.actor.model.lora.rank": "actor_rollout_ref.model.lora_rank",
    "worker.rollout.n": rollout("n"),
    "worker.rollout.temperature": rollout("temperature"),
    "worker.rollout.top_p": rollout("top_p"),
    "worker.rollout.name": rollout("name"),
  },
  defaults: { [actor("clip_ratio_high")]: 0.3 },
  derived: (flags) => {
    const loss = lossOf(flags);
    if (!("algorithm.use_kl_loss" in flags) && !("algorithm.disable_kl" in flags)) return loss;
    const isOn = (name: string): boolean => String(flags[name] ?? false).toLowerCase() === "true";
    const inLoss = isOn("algorithm.use_kl_loss") && !isOn("algorithm.disable_kl");
    const inReward = !isOn("algorithm.use_kl_loss") && !isOn("algorithm.disable_kl");
    const said = (name: string, to: string): Readonly<Record<string, FlagValue>> =>
      name in flags ? { [to]: flags[name]! } : {};
    return {
      ...loss,
      [actor("use_kl_loss")]: inLoss,
      "algorithm.use_kl_in_reward": inReward,
      ...(inLoss
        ? {
            ...said("algorithm.kl_coef", actor("kl_loss_coef")),
            ...said("algorithm.kl_penalty", actor("kl_loss_type")),
          }
        : {}),
      ...(inReward
        ? {
            ...said("algorithm.kl_coef", "algorithm.kl_ctrl.kl_coef"),
            ...said("algorithm.kl_penalty", "algorithm.kl_penalty"),
          }
        : {}),
    };
  },
};
