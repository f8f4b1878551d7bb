import { framework } from "../framework";

/**
 * Names that many scripts share without an agreement: a metric in words, with `mean_`, `avg_` or `_mean`. Cosmos-RL's console
 * and wandb, minimind's console and many scripts have them.
 *
 * It comes last, so that a trainer whose names these are as well is preferred.
 *
 * @see https://github.com/nvidia-cosmos/cosmos-rl: `cosmos_rl/dispatcher/status.py` ("Step: 3/400, Reward Mean: ..."); the other names are
 * those of scripts in public repositories
 */
export const common = framework({
  title: "common names",
  step: ["step", "iteration", "iter", "update", "global_step", "train/step", "train/global_step", "rollout"],
  prefixes: ["train/", "rollout/", "metrics/"],
  metrics: {
    "success/mean": ["success_rate", "success_mean", "mean_success", "solve_rate", "pass_rate"],
    "reward/mean": [
      "reward_mean",
      "mean_reward",
      "avg_reward",
      "average_reward",
      "average_reward_score",
      "reward_avg",
      "rewards_mean",
      "mean_rewards",
      "rewards/mean",
      "reward",
    ],
    "reward/std": ["reward_std", "std_reward", "rewards_std"],
    "reward/fracZeroStd": ["frac_reward_zero_std", "zero_std_ratio", "frac_zero_std"],
    "advantage/mean": ["advantage_mean", "mean_advantage", "adv_mean"],
    "policy/loss": [
      "policy_loss",
      "actor_loss",
      "act_loss",
      "pg_loss",
      "average_loss",
      "avg_loss",
      "mean_loss",
      "loss_avg",
      "loss",
    ],
    "critic/loss": ["critic_loss", "value_loss", "cri_loss"],
    "policy/entropy": ["entropy", "entropy_mean", "mean_entropy", "avg_entropy", "policy_entropy"],
    "policy/klReference": [
      "kl",
      "kl_ref",
      "ref_kl",
      "kl_mean",
      "mean_kl",
      "avg_kl",
      "kl_loss",
      "kl_loss_avg",
      "kl_divergence",
      "kl_to_ref",
    ],
    "policy/approxKl": ["approx_kl", "ppo_kl"],
    "policy/gradNorm": ["grad_norm", "gradient_norm", "total_norm", "optimizer/grad_norm"],
    "policy/clipFrac": ["clip_frac", "clip_fraction", "clipfrac"],
    "tokens/mean": [
      "response_length_mean",
      "mean_response_length",
      "avg_response_length",
      "avg_response_len",
      "response_len_mean",
      "completion_length_mean",
      "mean_completion_length",
      "avg_completion_length",
      "completion_tokens_mean",
      "mean_completion_tokens",
      "response_tokens_mean",
      "mean_response_tokens",
      "response_length",
    ],
    "tokens/fracTruncated": [
      "truncated_ratio",
      "truncation_ratio",
      "truncation_rate",
      "truncated_rate",
      "truncated_frac",
      "frac_truncated",
      "response_clip_ratio",
      "overlong_ratio",
    ],
    "turns/mean": ["turns_mean", "mean_turns", "avg_turns", "num_turns_mean"],
    "tools/calls": ["tool_calls_mean", "mean_tool_calls", "avg_tool_calls"],
  },
  aside:
    /^(time|timing|perf|system|eval|val|valid|validation|test)[_/-]|^(epoch|lr|learning_rate|seed|ppo_ep(och)?|unsuper(vised)?_loss|adv_std|advantage_std)$|(^|_)(time|seconds|memory)(_|$)|_(min|max|sd)$|^(args|config)\//,
});
