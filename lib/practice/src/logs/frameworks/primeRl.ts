import { framework } from "../framework";

/**
 * prime-rl's metrics.jsonl: trainer and orchestrator append to one file, several lines for each step.
 *
 * `mismatch_kl` is the mean of (w - 1) - log w with w = pi_trainer / pi_rollout, with the present policy in it. Groups count
 * as silent if all their rewards are 0 or all are 1, the only ones that it counts.
 *
 * @see https://github.com/PrimeIntellect-ai/prime-rl at 559b44772e471d1538537b8805cc77f3824a5e64: `src/prime_rl/monitors/file.py`
 * (lines), `src/prime_rl/trainer/rl/train.py` (entropy, mismatch_kl, optim), `src/prime_rl/trainer/rl/loss.py` (is_masked),
 * `src/prime_rl/orchestrator/metrics.py` (train/agg/...), `src/prime_rl/orchestrator/orchestrator.py` (off_policy)
 */
export const primeRl = framework({
  title: "prime-rl",
  metrics: {
    "policy/loss": ["loss/mean"],
    "policy/entropy": ["entropy/all/mean", "entropy/mean"],
    "policy/gradNorm": ["optim/grad_norm"],
    "mismatch/approxKl": ["mismatch_kl/all/mean", "mismatch_kl/mean"],
    "mismatch/fracMasked": ["is_masked/mean"],
    "staleness/mean": ["off_policy/mean"],
    "staleness/max": ["off_policy/max"],
    "turns/mean": ["train/agg/effective/num_turns/mean"],
    "tokens/mean": ["train/agg/effective/num_output_tokens/mean"],
  },
  patterns: {
    "reward/mean": /^train\/agg\/effective\/[^/]+\/reward\/mean$/,
    "tokens/fracTruncated": /^train\/agg\/effective\/[^/]+\/is_truncated\/mean$/,
  },
  derived: {
    "reward/fracZeroStd": {
      uses: ["train/agg/all/agent/solved_none", "train/agg/all/agent/solved_all"],
      from: (read) => {
        const [none, all] = ["none", "all"].map((which) => read(`train/agg/all/agent/solved_${which}`));
        return none === undefined || all === undefined ? undefined : none + all;
      },
    },
  },
  aside: /^(time|perf|disk|progress|batch|val|eval)\/|^train\/(?!agg\/)|^time$|\/(p10|p90|min)$|\/timing\//,
  late: 2,
});
