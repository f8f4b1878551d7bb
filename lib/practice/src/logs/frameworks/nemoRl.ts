import { log } from "turnwise/internal/base/elementary/log";
import { framework } from "../framework";

/**
 * NeMo RL's loggers (wandb, TensorBoard, and the JSON that its tests dump of it), which put `train/` before each name.
 *
 * `gen_kl_error` is the k3 estimate between engine and trainer. `token_mult_prob_error` is the mean of e^|difference of log-probs|, so
 * that its logarithm is at least the mean difference; `approx_entropy` is that of sampled tokens.
 *
 * @see https://github.com/NVIDIA-NeMo/RL at 00294d9baabcf4c4a7bf4aee138e41914c6cb94c: `nemo_rl/algorithms/loss_functions.py`
 * (ClippedPGLossFn), `nemo_rl/algorithms/grpo.py` (reward, mean_gen_tokens_per_sample, turns)
 */
export const nemoRl = framework({
  title: "NeMo RL",
  step: ["train/step", "step", "global_step"],
  prefixes: ["train/"],
  metrics: {
    "reward/mean": ["reward", "total_reward/mean"],
    "advantage/mean": ["advantages/mean"],
    "policy/loss": ["loss"],
    "policy/entropy": ["approx_entropy"],
    "policy/klReference": ["kl_penalty"],
    "policy/gradNorm": ["grad_norm"],
    "policy/ratioMax": ["probs_ratio_max"],
    "policy/ratioMin": ["probs_ratio_min"],
    "tokens/mean": ["mean_gen_tokens_per_sample", "gen_tokens_per_sample/mean"],
    "tokens/fracTruncated": ["truncation_rate"],
    "turns/mean": ["avg_turns_per_sample", "turns_per_sample/mean"],
    "mismatch/approxKl": ["gen_kl_error"],
    "mismatch/weightMean": ["sampling_importance_ratio"],
  },
  derived: {
    "mismatch/logProbGap": {
      uses: ["token_mult_prob_error"],
      from: (read) => {
        const product = read("token_mult_prob_error");
        return product === undefined || product <= 0 ? undefined : log(product);
      },
    },
  },
  aside:
    /^(timing|performance|validation|ray|gpu_monitoring)\/|^(train\/)?(lr|wd|global_valid_(seqs|toks)|num_valid_samples|total_num_tokens|mean_prompt_length|policy_kl_error|js_divergence_error|probs_ratio(_clamped)?(_min|_max)?|natural_termination_rate|max_turns_.*|advantages\/(min|max))$/,
});
