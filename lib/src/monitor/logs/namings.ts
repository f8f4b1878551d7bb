import type { MetricName } from "../../base/glossary";

export type NamingName = "turnwise" | "verl" | "trl" | "ragen";

/** What a framework calls the metrics of the glossary. */
export interface Naming {
  /** Keys of the step, in order of preference. */
  readonly step: readonly string[];
  /** The key under which a line may hold its metrics one level down. */
  readonly nested: string | null;
  /** The framework's names of each metric, in order of preference. */
  readonly metrics: Readonly<Partial<Record<MetricName, readonly string[]>>>;
  /** For names that contain the name of an environment. */
  readonly patterns: Readonly<Partial<Record<MetricName, RegExp>>>;
}

const verl = {
  "reward/mean": ["critic/score/mean", "critic/rewards/mean"],
  "advantage/mean": ["critic/advantages/mean"],
  "policy/loss": ["actor/pg_loss"],
  "policy/entropy": ["actor/entropy", "actor/entropy_loss"],
  "policy/approxKl": ["actor/ppo_kl"],
  "policy/klReference": ["actor/kl_loss"],
  "policy/clipFrac": ["actor/pg_clipfrac"],
  "policy/clipFracDual": ["actor/pg_clipfrac_lower"],
  "policy/gradNorm": ["actor/grad_norm"],
  "critic/loss": ["critic/vf_loss"],
  "critic/explainedVariance": ["critic/vf_explained_var"],
  "tokens/mean": ["response_length/mean"],
  "turns/mean": ["num_turns/mean"],
  "mismatch/kl": ["rollout_corr/kl"],
  "mismatch/approxKl": ["rollout_corr/k3_kl"],
  "mismatch/chiSquaredToken": ["rollout_corr/chi2_token"],
  "mismatch/chiSquaredTrajectory": ["rollout_corr/chi2_seq"],
  "mismatch/fracTruncated": ["rollout_corr/rollout_is_ratio_fraction_high"],
  "mismatch/fracMasked": ["rollout_corr/rollout_rs_masked_fraction", "rollout_corr/rollout_is_oob_ratio"],
  "mismatch/weightMean": ["rollout_corr/rollout_is_mean"],
  "mismatch/effectiveSampleSize": ["rollout_corr/rollout_is_eff_sample_size"],
} as const satisfies Naming["metrics"];

/**
 * The metric names of this library, of verl's file logger, of TRL's GRPO trainer and of RAGEN, which logs through verl.
 *
 * Not everything agrees exactly: verl's `ppo_kl` is the k1 estimate (ours is k3), its `pg_clipfrac` counts both bounds
 * together, and its `pg_clipfrac_lower` is the dual clip; TRL's `kl` is to the reference policy, and its standard deviations,
 * like RAGEN's, have n - 1 in the denominator.
 *
 * @see https://github.com/volcengine/verl (`trainer/ppo`, `workers/actor`, `utils/tracking`)
 * @see https://github.com/huggingface/trl (`trainer/grpo_trainer.py`)
 * @see https://github.com/RAGEN-AI/RAGEN (`trainer/rollout_filter`)
 */
export const namings: Readonly<Record<NamingName, Naming>> = Object.freeze({
  turnwise: { step: ["update"], nested: "metrics", metrics: {}, patterns: {} },
  verl: { step: ["step", "training/global_step"], nested: "data", metrics: verl, patterns: {} },
  trl: {
    step: ["step"],
    nested: null,
    metrics: {
      "reward/mean": ["reward"],
      "reward/std": ["reward_std"],
      "reward/fracZeroStd": ["frac_reward_zero_std"],
      "policy/loss": ["loss"],
      "policy/entropy": ["entropy"],
      "policy/klReference": ["kl"],
      "policy/clipFracLow": ["clip_ratio/low_mean"],
      "policy/clipFracHigh": ["clip_ratio/high_mean"],
      "policy/clipFrac": ["clip_ratio/region_mean"],
      "policy/gradNorm": ["grad_norm"],
      "tokens/mean": ["completions/mean_length"],
      "mismatch/logProbGap": ["sampling/sampling_logp_difference/mean"],
      "mismatch/weightMean": ["sampling/importance_sampling_ratio/mean"],
    },
    patterns: {},
  },
  ragen: {
    step: ["step", "training/global_step"],
    nested: "data",
    metrics: {
      ...verl,
      "reward/mean": ["rollout/in_group_mean", ...verl["reward/mean"]],
      "reward/std": ["rollout/in_group_std", "rollout/in_group_reward_std"],
      "filter/fracKept": ["rollout/filter_kept_ratio"],
    },
    // Validation is logged as val-env/NAME/success and does not belong to training.
    patterns: { "success/mean": /^(?!val)(?:[^/]+\/)?[^/]+\/success$/ },
  },
});
