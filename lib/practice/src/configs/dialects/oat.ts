import type { FlagValue } from "../given";
import type { Dialect } from "./contract";

const actor = (name: string): string => `actor_rollout_ref.actor.${name}`;
const rollout = (name: string): string => `actor_rollout_ref.rollout.${name}`;

/**
 * oat's PPO, GRPO and Dr. GRPO, and what is built on it (understand-r1-zero, GMPO). Its training batch counts answers, the other prompts.
 *
 * @see https://github.com/sail-sg/oat at c1a074c320ff5ca9fe9a4f669bf05208e2f310be: oat/args.py, oat/algorithms/ppo.py (PPOArgs)
 */
export const oat: Dialect = {
  title: "oat",
  version: "c1a074c",
  base: "verl",
  isTyped: true,
  tells:
    /^(critic_type|pi_buffer_maxlen_per_device|oracle_type|num_prompt_epoch|vllm_gpu_ratio|kl_penalty_coef|whiten_adv|non_stop_penalty|reinforce_update|verifier_version)$/,
  names: {
    learning_rate: actor("optim.lr"),
    num_samples: rollout("n"),
    num_ppo_epochs: actor("ppo_epochs"),
    beta: actor("kl_loss_coef"),
    kl_penalty_coef: "algorithm.kl_ctrl.kl_coef",
    cliprange: actor("clip_ratio_high"),
    max_norm: actor("grad_clip"),
    temperature: rollout("temperature"),
    top_p: rollout("top_p"),
    generate_max_length: "data.max_response_length",
    prompt_max_length: "data.max_prompt_length",
    rollout_batch_size: "data.train_batch_size",
    train_batch_size: actor("ppo_mini_batch_size"),
    gamma: "algorithm.gamma",
    lam: "algorithm.lam",
    // How advantages are divided, and the loss's tokens with them.
    critic_type: actor("loss_agg_mode"),
  },
  written: { critic_type: (mode) => (mode === "seq-mean-token-mean" ? "grpo" : "drgrpo") },
  countsRollouts: true,
  defaults: {
    "algorithm.adv_estimator": "grpo",
    "algorithm.lam": 1,
    [actor("optim.lr")]: 5e-7,
    [actor("ppo_epochs")]: 1,
    [actor("kl_loss_coef")]: 0.1,
    [actor("clip_ratio_c")]: 1e9,
    [rollout("n")]: 2,
    "data.max_response_length": 512,
    "data.train_batch_size": 128,
  },
  derived: (flags): Readonly<Record<string, FlagValue>> => {
    const critic = String(flags.critic_type ?? "drgrpo");
    const [batch, samples] = [Number(flags.train_batch_size ?? 128), Number(flags.num_samples ?? 2)];
    return {
      "algorithm.adv_estimator": critic === "ppo" ? "gae" : "grpo",
      "algorithm.norm_adv_by_std_in_grpo": critic !== "drgrpo",
      "algorithm.use_kl_in_reward": Number(flags.kl_penalty_coef ?? 0) > 0,
      [actor("clip_ratio_low")]: Number(flags.cliprange ?? 0.2),
      [actor("clip_ratio_high")]: Number(flags.cliprange ?? 0.2),
      [actor("use_kl_loss")]: Number(flags.beta ?? 0.1) > 0,
      [actor("loss_agg_mode")]: critic === "drgrpo" ? "seq-mean-token-sum-norm" : "seq-mean-token-mean",
      ...(Number.isFinite(batch / samples) && {
        [actor("ppo_mini_batch_size")]: Math.max(1, Math.round(batch / samples)),
      }),
    };
  },
};
