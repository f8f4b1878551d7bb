import { framework } from "../framework";

/**
 * slime's trackers (wandb, TensorBoard) and console, and those of miles.
 *
 * Rollouts and optimizer steps are counted apart there: with several steps for each rollout, lines of the same number are not of the same
 * update. Rollout r has the steps from r k on, if each has k. What samples may be a rollout ahead of what trains. `ppo_kl` is the k1
 * estimate, and so is `kl_loss` unless the configuration names another.
 *
 * @see https://github.com/THUDM/slime at 624b824a898ab0ec1fcb4d373004c7f3852bf515: `slime/backends/megatron_utils/loss.py` and
 * `model.py` (train), `slime/observability/rollout_metrics.py` and `train_metric_utils.py` (rollout)
 */
export const slime = framework({
  title: "slime",
  step: ["rollout/step", "train/step", "step"],
  late: 1,
  counts: {
    rollout: "rollout/step",
    optimizer: "train/step",
    ofOptimizer: /^train\//,
    ofRollout: /^(rollout|perf|multi_turn|eval|passrate)\//,
    marks: /^rollout\/(raw_reward|rewards|advantages|log_probs)$/,
  },
  metrics: {
    "reward/mean": ["rollout/raw_reward", "rollout/rewards"],
    "advantage/mean": ["rollout/advantages"],
    "policy/loss": ["train/pg_loss", "train/loss"],
    "policy/entropy": ["train/entropy_loss", "rollout/entropy"],
    "policy/approxKl": ["train/ppo_kl"],
    "policy/klReference": ["train/kl_loss"],
    "policy/clipFrac": ["train/pg_clipfrac"],
    "policy/gradNorm": ["train/grad_norm"],
    "critic/loss": ["train/critic-value_loss", "train/value_loss"],
    "tokens/mean": ["rollout/response_len/mean", "rollout/response_lengths"],
    "tokens/fracTruncated": ["rollout/truncated_ratio", "rollout/truncated"],
    "turns/mean": ["multi_turn/multi_turn_metric/round_number_mean"],
    "mismatch/logProbGap": ["train/train_rollout_logprob_abs_diff"],
    "mismatch/fracTruncated": ["train/tis_clipfrac"],
    "mismatch/weightMean": ["train/tis"],
  },
  aside:
    /^(perf|eval|passrate)\/|^train\/(lr-pg_|global_batch_size|step$|mtp_)|^rollout\/(step$|log_probs|ref_log_probs|rollout_log_probs|returns|values|total_lengths|repetition_frac|response_len\/|zero_std\/)|^multi_turn\//,
});
