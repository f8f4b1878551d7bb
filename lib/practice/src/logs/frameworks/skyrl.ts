import { framework } from "../framework";

/**
 * SkyRL's trackers (wandb, TensorBoard and others).
 *
 * The share of clipped tokens counts both bounds; before August 2026 it stood without `loss_metrics/`. Turns are logged by
 * generators that count them, such as that of Harbor.
 *
 * @see https://github.com/NovaSky-AI/SkyRL at a9564572eb8e91076be43c1bd5e4615e3de17265: `skyrl/train/trainer.py` (reward, policy,
 * critic, rollout_train_logprobs_abs_diff), `skyrl/backends/skyrl_train/workers/worker.py` (names behind policy/),
 * `skyrl/train/generators/utils.py` (generate), `skyrl/train/fully_async_trainer.py` (async),
 * `examples/train_integrations/harbor/harbor_generator.py` (avg_num_turns)
 */
export const skyrl = framework({
  title: "SkyRL",
  step: ["step", "trainer/global_step", "global_step"],
  metrics: {
    "reward/mean": ["reward/avg_raw_reward"],
    "advantage/mean": ["loss/avg_raw_advantages"],
    "policy/loss": ["policy/policy_loss", "policy/final_loss"],
    "policy/entropy": ["policy/policy_entropy"],
    "policy/klReference": ["policy/policy_kl", "loss/avg_kl"],
    "policy/clipFrac": ["policy/loss_metrics/clip_ratio", "policy/clip_ratio", "policy/ppo_clip_ratio"],
    "policy/gradNorm": ["policy/grad_norm", "policy/raw_grad_norm"],
    "critic/loss": ["critic/critic_loss"],
    "tokens/mean": ["generate/avg_assistant_tokens", "generate/avg_num_tokens"],
    "turns/mean": ["generate/avg_num_turns"],
    "mismatch/logProbGap": ["policy/rollout_train_logprobs_abs_diff_mean"],
    "mismatch/logProbGapMax": ["policy/rollout_train_logprobs_abs_diff_max"],
    "staleness/mean": ["async/staleness_mean"],
    "staleness/max": ["async/staleness_max"],
  },
  aside: /^(timing|eval|system|trainer|environment)\//,
});
