import { framework } from "../framework";

/**
 * OpenRLHF's trackers (wandb, TensorBoard), which put `train/` before each name.
 *
 * `ppo_kl` is the k1 estimate, `ppo_clip_ratio` counts both bounds, `vllm_kl` is the mean of log pi_rollout - log pi_trainer, and
 * `logprobs_diff` is the distance to the reference policy, not to the rollout engine.
 *
 * @see openrlhf 0.11.2 on PyPI and https://github.com/OpenRLHF/OpenRLHF at 3c3be6234e0cb353e76bb8019947db9dfe99fca7:
 * `openrlhf/trainer/ray/ppo_actor.py`, `openrlhf/models/loss.py`, `openrlhf/trainer/ppo_utils/experience_maker.py`
 * (group_reward_std), `openrlhf/utils/logging_utils.py` (train/)
 */
export const openrlhf = framework({
  title: "OpenRLHF",
  step: ["global_step", "train/global_step", "step"],
  prefixes: ["train/"],
  metrics: {
    "reward/mean": ["score", "reward"],
    "reward/std": ["group_reward_std"],
    "policy/loss": ["policy_loss"],
    "policy/entropy": ["entropy_loss"],
    "policy/approxKl": ["ppo_kl"],
    "policy/klReference": ["kl"],
    "policy/clipFrac": ["ppo_clip_ratio"],
    "policy/gradNorm": ["actor_grad_norm"],
    "critic/loss": ["critic_loss"],
    "tokens/mean": ["response_length"],
    "tokens/fracTruncated": ["truncated", "response_clip_ratio"],
    "mismatch/kl": ["vllm_kl"],
    "filter/fracKept": ["dynamic_filtering_pass_rate"],
  },
  aside: /^(train\/)?(timing|eval)[_/]|(^|\/)(actor_lr|critic_lr|generated_samples)$/,
});
