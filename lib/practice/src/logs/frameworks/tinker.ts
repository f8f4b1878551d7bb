import { framework } from "../framework";

/**
 * The metrics.jsonl of Tinker's cookbook.
 *
 * `entropy` and `kl_sample_train_v1` are means over the sampled tokens: of -log pi of what was sampled, and of
 * log pi_sampler - log pi_trainer.
 *
 * @see https://github.com/thinking-machines-lab/tinker-cookbook at 9dfcc3a2cf44432d621a01005073dc6d76a1e87a:
 * `tinker_cookbook/rl/metric_util.py` (env/all), `tinker_cookbook/rl/metrics.py` (optim), `tinker_cookbook/utils/ml_log.py` (lines)
 */
export const tinker = framework({
  title: "Tinker",
  step: ["step", "progress/batch"],
  metrics: {
    "reward/mean": ["env/all/reward/total", "reward/total"],
    "success/mean": ["env/all/correct"],
    "policy/entropy": ["optim/entropy"],
    "turns/mean": ["env/all/turns_per_episode"],
    "mismatch/kl": ["optim/kl_sample_train_v1"],
  },
  derived: {
    "reward/fracZeroStd": {
      uses: ["env/all/by_group/frac_mixed"],
      from: (read) => {
        const mixed = read("env/all/by_group/frac_mixed");
        return mixed === undefined ? undefined : 1 - mixed;
      },
    },
    "tokens/mean": {
      uses: ["env/all/total_ac_tokens", "env/all/total_episodes"],
      from: (read) => {
        const [tokens, episodes] = [read("env/all/total_ac_tokens"), read("env/all/total_episodes")];
        return tokens === undefined || !episodes ? undefined : tokens / episodes;
      },
    },
  },
  aside: /^(time|progress|test|eval)\/|^env\/(?!all\/)/,
});
