import { framework, times } from "../framework";

/**
 * verl's loggers, and those of Agent-Lightning (`training/reward`) and EasyR1 (`reward/overall`): lines `{"step", "data"}` of its file logger, or the same names in TensorBoard and wandb.
 *
 * `ppo_kl` is the k1 estimate (ours is k3), `pg_clipfrac` counts both bounds together, and `pg_clipfrac_lower` is the dual clip.
 * `num_turns` counts the messages of both sides, two for each turn of the agent. `rollout_probs_diff` is a distance of
 * probabilities, not of their logarithms; the staleness of a trajectory is told by the newest weights that wrote it.
 *
 * @see verl 0.9.1 on PyPI: `utils/tracking.py` (FileLogger), `trainer/ppo/metric_utils.py` (critic, response_length, num_turns,
 * tool_call_counts), `trainer/ppo/core_algos.py` and `workers/actor/dp_actor.py` (actor), `trainer/ppo/rollout_corr_helper.py`
 * (rollout_corr), `utils/debug/metrics.py` (rollout_probs_diff), `trainer/ppo/v1/trainer_base.py` (training/off_policy)
 * @see https://github.com/volcengine/verl at b178a3cd56f58b2d502255daba591e92833930a7 for the same files but the last
 */
export const verl = framework({
  title: "verl",
  step: ["step", "training/global_step"],
  nested: "data",
  metrics: {
    // verl-agent's.
    "success/mean": ["episode/success_rate"],
    "reward/mean": ["critic/score/mean", "critic/rewards/mean", "training/reward", "reward/overall"],
    "advantage/mean": ["critic/advantages/mean"],
    "policy/loss": ["actor/pg_loss"],
    "policy/entropy": ["actor/entropy", "actor/entropy_loss"],
    "policy/approxKl": ["actor/ppo_kl"],
    "policy/klReference": ["actor/kl_loss", "actor/reward_kl_penalty", "critic/kl"],
    "policy/clipFrac": ["actor/pg_clipfrac"],
    "policy/clipFracDual": ["actor/pg_clipfrac_lower"],
    "policy/gradNorm": ["actor/grad_norm"],
    "critic/loss": ["critic/vf_loss"],
    "critic/explainedVariance": ["critic/vf_explained_var"],
    "tokens/mean": ["response_length/mean"],
    "tokens/fracTruncated": ["response_length/clip_ratio"],
    "tools/calls": ["tool_call_counts/mean"],
    "mismatch/probGap": ["training/rollout_probs_diff_mean"],
    "mismatch/probGapMax": ["training/rollout_probs_diff_max"],
    "mismatch/correlation": ["training/rollout_actor_probs_pearson_corr"],
    "mismatch/kl": ["rollout_corr/kl"],
    "mismatch/approxKl": ["rollout_corr/k3_kl"],
    "mismatch/chiSquaredToken": ["rollout_corr/chi2_token"],
    "mismatch/chiSquaredTrajectory": ["rollout_corr/chi2_seq"],
    "mismatch/fracTruncated": ["rollout_corr/rollout_is_ratio_fraction_high"],
    "mismatch/fracMasked": ["rollout_corr/rollout_rs_masked_fraction", "rollout_corr/rollout_is_oob_ratio"],
    "mismatch/weightMean": ["rollout_corr/rollout_is_mean"],
    "mismatch/effectiveSampleSize": ["rollout_corr/rollout_is_eff_sample_size"],
    "staleness/mean": ["training/off_policy/trajectory_staleness/mean"],
    "staleness/max": ["training/off_policy/trajectory_staleness/max"],
  },
  derived: {
    "turns/mean": times(0.5, ["training/num_turns/mean", "num_turns/mean"]),
  },
  // EasyR1's.
  parts: /^reward\/(?<part>accuracy|format)$/,
  // The ends of a batch say no more than its mean does; returns are rewards or advantages once more. verl-agent's episodes grow shorter
  // as more of them succeed, which says nothing of its tools.
  aside:
    /^(timing_(s|per_token_ms)|perf|mfu|global_seqlen|val-core|val-aux|val|prompt_length|response_length_non_aborted)\/|^training\/epoch$|^(critic\/(score|rewards|advantages|returns|values)|response_length|num_turns|tool_call_counts)\/(max|min)$|^critic\/(returns|values)\/mean$|^response\/aborted_ratio$|^(actor|critic)\/lr$|^actor\/kl_coef$|^episode\/(reward|length|tool_call_count)\/(mean|max|min)$|^reward\/(accuracy|format)$/,
});
