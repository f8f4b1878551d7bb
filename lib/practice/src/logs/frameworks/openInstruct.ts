import { framework } from "../framework";

/**
 * open-instruct's GRPO (wandb).
 *
 * `scores` add the rewards of all verifiers up; `verifiable_correct_rate` is the share that was verified. The length is that of
 * answers, and an answer that did not stop was cut.
 *
 * @see https://github.com/allenai/open-instruct at 0063d1271f28a3f7f9a086cfbd2a4801b59a5357: `open_instruct/grpo_utils.py`,
 * `open_instruct/grpo_fast.py`
 */
export const openInstruct = framework({
  title: "open-instruct",
  step: ["training_step", "step"],
  metrics: {
    "success/mean": ["objective/verifiable_correct_rate"],
    "reward/mean": ["scores", "objective/scores"],
    "policy/loss": ["loss/policy_avg", "loss/total_avg"],
    "policy/entropy": ["policy/entropy_avg"],
    "policy/klReference": ["objective/kl2_avg", "objective/kl_avg", "objective/kl3_avg"],
    "policy/clipFrac": ["policy/clipfrac_avg"],
    "policy/gradNorm": ["optim/grad_norm"],
    "reward/fracZeroStd": ["batch/percent_zero_std_prompts"],
    "tokens/mean": ["val/sequence_lengths"],
    "tools/calls": ["tools/aggregate/avg_calls_per_rollout"],
    "tools/failed": ["tools/aggregate/failure_rate"],
    "mismatch/logProbGap": ["debug/vllm_vs_local_logprob_diff_mean"],
    "mismatch/logProbGapMax": ["debug/vllm_vs_local_logprob_diff_max"],
    "mismatch/kl": ["debug/vllm_local_reverse_kl"],
  },
  derived: {
    "tokens/fracTruncated": {
      uses: ["val/stop_rate"],
      from: (read) => {
        const stopped = read("val/stop_rate");
        return stopped === undefined ? undefined : 1 - stopped;
      },
    },
  },
  aside:
    /^(time|eval|lr|epoch|episode)([_/]|$)|^val\/(ratio|sequence_lengths_)|_(std|min|max|var)$|^objective\/kl|_reward$/,
});
