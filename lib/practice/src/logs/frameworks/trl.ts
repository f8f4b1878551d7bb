import { framework } from "../framework";

/**
 * TRL's GRPO trainer: lines of `log_history` in trainer_state.json, or the same names after `train/` in TensorBoard and wandb.
 *
 * Older releases and ms-swift call the length `completion_length` and the cut-off share `response_clip_ratio`; ms-swift and
 * LLaMA-Factory name the step `global_step/max_steps` ("17/124") and `current_steps`.
 *
 * `kl` is to the reference policy; `reward_std` has n - 1 in its denominator and is that of the whole batch, not the mean
 * over groups; the ratios of `sampling` are those after its truncation.
 *
 * @see trl 1.16.0 on PyPI and https://github.com/huggingface/trl at f2cd57710ae345ea6428ae95363267fcf38a3dc8:
 * `trainer/grpo_trainer.py` (`_metrics`, `log`)
 */
export const trl = framework({
  title: "TRL",
  step: ["step", "train/global_step", "global_step", "global_step/max_steps", "current_steps"],
  prefixes: ["train/"],
  metrics: {
    "reward/mean": ["reward", "reward_mean", "mean_reward"],
    "reward/std": ["reward_std"],
    "reward/fracZeroStd": ["frac_reward_zero_std"],
    "policy/loss": ["loss"],
    "policy/entropy": ["entropy"],
    "policy/entropyCoef": ["entropy_coef"],
    "policy/klReference": ["kl"],
    "policy/clipFracLow": ["clip_ratio/low_mean"],
    "policy/clipFracHigh": ["clip_ratio/high_mean"],
    "policy/clipFrac": ["clip_ratio/region_mean", "cispo_clip_ratio", "clip_ratio"],
    "policy/gradNorm": ["grad_norm"],
    "tokens/mean": ["completions/mean_length", "completion_length"],
    "tokens/fracTruncated": ["completions/clipped_ratio", "response_clip_ratio"],
    "tools/calls": ["tools/call_frequency"],
    "tools/failed": ["tools/failure_frequency"],
    "mismatch/logProbGap": ["sampling/sampling_logp_difference/mean"],
    "mismatch/logProbGapMax": ["sampling/sampling_logp_difference/max"],
    "mismatch/weightMean": ["sampling/importance_sampling_ratio/mean"],
    // ms-swift's.
    "mismatch/kl": ["rollout_correction/kl"],
    "mismatch/approxKl": ["rollout_correction/k3_kl"],
    "mismatch/chiSquaredToken": ["rollout_correction/chi2_token"],
    "mismatch/chiSquaredTrajectory": ["rollout_correction/chi2_seq"],
  },
  parts: /^(?:train\/)?rewards\/(?<part>[^/]+?)(?:\/mean)?$/,
  lengths: ["completions/min_length", "completions/max_length"],
  // Rewards of single functions add up to the reward; the ends of a batch say no more than its mean does.
  aside:
    /^eval[_/]|^rewards\/|^(epoch|learning_rate|num_tokens|step_time|total_flos|total_steps|percentage)$|^completions\/(min|max|mean_terminated)_|^clip_ratio\/(low_min|high_max)$|^(token_acc|mean_token_accuracy|memory(\(GiB\))?|train_speed\(.*\))$|^train_|_runtime$|_per_second$/,
});
