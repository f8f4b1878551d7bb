import { framework } from "../framework";

const update = (name: string): string[] => [`ppo_actor/update/${name}/avg`, `grpo_actor/update/${name}/avg`];
const batch = (name: string): string[] => [`ppo_actor/${name}/avg`, `grpo_actor/${name}/avg`];

/**
 * AReaL's stats (wandb, TensorBoard, its table in the console), `/avg` after what is averaged over tokens or answers.
 *
 * `behave_approx_kl` and `behave_imp_weight` compare the proximal policy with the one that sampled; staleness is counted in versions
 * of the weights.
 *
 * @see areal 1.0.4 on PyPI: `areal/trainer/ppo/actor.py`
 */
export const areal = framework({
  title: "AReaL",
  step: ["step", "global_step"],
  metrics: {
    "reward/mean": [...batch("task_reward"), "rollout/reward", ...batch("final_reward")],
    "advantage/mean": batch("advantages"),
    "policy/loss": update("actor_loss"),
    "policy/entropy": update("entropy"),
    "policy/approxKl": update("approx_kl"),
    "policy/clipFrac": update("clip_ratio"),
    "policy/clipFracDual": update("dual_clip_ratio"),
    "policy/gradNorm": ["ppo_actor/update/grad_norm", "grpo_actor/update/grad_norm"],
    "tokens/mean": batch("seq_len"),
    "tokens/fracTruncated": batch("no_eos_ratios"),
    "mismatch/kl": update("behave_approx_kl"),
    "mismatch/weightMean": update("behave_imp_weight"),
    "staleness/mean": [
      "ppo_actor/update/version_stats/sample_staleness_theta_avg",
      "ppo_actor/version_stats/sample_staleness_theta_avg",
    ],
  },
  aside:
    /^(timeperf|time_perf|eval|memory)[_/]|\/(min|max)$|^(ppo|grpo)_actor\/(n_|.*_n_|prompt_len|correct_|incorrect_)/,
});
