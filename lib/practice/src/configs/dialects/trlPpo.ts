import type { FlagValue } from "../given";
import type { Dialect } from "./contract";

const actor = (name: string): string => `actor_rollout_ref.actor.${name}`;
const rollout = (name: string): string => `actor_rollout_ref.rollout.${name}`;

/**
 * TRL's PPO: `PPOConfig` of before 0.12, with `ppo_epochs` and `init_kl_coef`, and of after it, with `num_ppo_epochs` and `kl_coef`. What a
 * program gives to `generate()` is below `generation`.
 *
 * @see https://github.com/huggingface/trl at v0.11.4: `trainer/ppo_config.py`, `trainer/ppov2_config.py`
 */
export const trlPpo: Dialect = {
  title: "TRL's PPO",
  version: "0.11.4",
  base: "verl",
  mentions: /^PPOConfig of TRL$/,
  tells:
    /^(ppo_epochs|num_ppo_epochs|num_mini_batches|init_kl_coef|adap_kl_ctrl|cliprange|cliprange_value|vf_coef|missing_eos_penalty|whiten_rewards|optimize_cuda_cache)$/,
  names: {
    batch_size: "data.train_batch_size",
    mini_batch_size: actor("ppo_mini_batch_size"),
    ppo_epochs: actor("ppo_epochs"),
    num_ppo_epochs: actor("ppo_epochs"),
    learning_rate: actor("optim.lr"),
    init_kl_coef: "algorithm.kl_ctrl.kl_coef",
    kl_coef: "algorithm.kl_ctrl.kl_coef",
    cliprange: actor("clip_ratio_high"),
    max_grad_norm: actor("grad_clip"),
    gamma: "algorithm.gamma",
    lam: "algorithm.lam",
    response_length: "data.max_response_length",
    "generation.max_new_tokens": "data.max_response_length",
    temperature: rollout("temperature"),
    "generation.temperature": rollout("temperature"),
    "generation.top_p": rollout("top_p"),
    "generation.top_k": rollout("top_k"),
    "generation.min_new_tokens": "generation.min_new_tokens",
    "generation.min_length": "generation.min_length",
    "generation.no_repeat_ngram_size": "generation.no_repeat_ngram_size",
    "generation.repetition_penalty": "generation.repetition_penalty",
    lora_r: "actor_rollout_ref.model.lora_rank",
  },
  defaults: {
    "algorithm.adv_estimator": "gae",
    "algorithm.use_kl_in_reward": true,
    "algorithm.lam": 0.95,
    [actor("use_kl_loss")]: false,
    [actor("ppo_epochs")]: 4,
    [actor("entropy_coeff")]: 0,
    "algorithm.kl_ctrl.kl_coef": 0.2,
    [actor("clip_ratio_c")]: 1e9,
    "data.train_batch_size": 128,
    // It samples with the trainer itself, or with transformers.
    [rollout("name")]: "hf",
  },
  derived: (flags): Readonly<Record<string, FlagValue>> => {
    const batch = Number(flags.batch_size ?? 128);
    const mini =
      "num_mini_batches" in flags
        ? batch / Number(flags.num_mini_batches)
        : "num_ppo_epochs" in flags
          ? batch
          : Number(flags.mini_batch_size ?? batch) * Number(flags.gradient_accumulation_steps ?? 1);
    return {
      [actor("use_kl_loss")]: false,
      [actor("clip_ratio_low")]: Number(flags.cliprange ?? 0.2),
      [actor("clip_ratio_high")]: Number(flags.cliprange ?? 0.2),
      ...(Number.isFinite(mini) && mini >= 1 && { [actor("ppo_mini_batch_size")]: Math.min(mini, batch) }),
    };
  },
};
