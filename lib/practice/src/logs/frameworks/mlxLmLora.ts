import { framework } from "../framework";

/**
 * mlx-lm-lora's console, and what its callbacks and wandb get (`train_` before every name).
 *
 * The names of a block on the console are its labels in lower case: `Total Rewards: μ=.5` is `total_rewards_mean`. The spread within groups
 * is that of `Group Rewards`. mlx-lm itself, which knows no rewards, has the same lines.
 *
 * @see https://github.com/Goekdeniz-Guelmez/mlx-lm-lora at dfaaaed530d122cd03156f7e43d1f876d2af3dbc: `mlx_lm_lora/trainer/grpo_trainer.py`
 */
export const mlxLmLora = framework({
  title: "mlx-lm-lora",
  step: ["iteration", "step"],
  prefixes: ["train_"],
  metrics: {
    "reward/mean": ["total_rewards_mean"],
    "reward/std": ["grouped_rewards_std", "group_rewards_std"],
    "policy/loss": ["train_loss", "loss"],
    "policy/klReference": ["kl", "kl_divergence"],
    "policy/clipFrac": ["clip_ratio_total", "clipping_total"],
    "policy/clipFracLow": ["clip_ratio_low", "clipping_low"],
    "policy/clipFracHigh": ["clip_ratio_high", "clipping_high"],
    "tokens/mean": ["average_generated_tokens", "avg_tokens"],
    "tokens/fracTruncated": ["hit_max_tokens_ratio", "hit_limit"],
  },
  aside:
    /^(val_|eval_)|^(iteration|learning_rate|speed|memory|peak_mem(ory)?|it_sec|tokens_sec|trained_tokens|(iterations|tokens)_per_second|(min|max)(_generated)?_tokens|total_rewards_std|group(ed)?_rewards_mean)$|_(mean|std|cov|coverage)$/,
});
