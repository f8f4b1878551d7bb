import { framework } from "../framework";

/**
 * TRL's PPO trainers, of which the former one was left in 0.12 (`ppo/...`, `env/...`), and its RLOO trainer of then.
 *
 * `objective/kl` is a sum over the tokens of an answer, by log-ratios (k1), and so may be below 0; `objective/entropy` is such a sum, too.
 *
 * @see https://github.com/huggingface/trl at v0.11.4: `trainer/ppo_trainer.py`, `trainer/ppov2_trainer.py`
 */
export const trlPpo = framework({
  title: "TRL's PPO",
  step: ["step", "train/global_step", "global_step", "episode"],
  metrics: {
    "reward/mean": ["env/reward_mean", "ppo/mean_scores", "objective/rlhf_reward", "objective/scores"],
    "policy/loss": ["ppo/loss/policy", "loss/policy_avg", "ppo/loss/total"],
    "policy/entropy": ["ppo/policy/entropy", "policy/entropy_avg", "objective/entropy"],
    "policy/approxKl": ["ppo/policy/approxkl", "policy/approxkl_avg"],
    "policy/klReference": ["objective/kl"],
    "policy/clipFrac": ["ppo/policy/clipfrac", "policy/clipfrac_avg"],
    "critic/loss": ["ppo/loss/value", "loss/value_avg"],
    "critic/explainedVariance": ["ppo/val/var_explained"],
    "tokens/mean": ["tokens/responses_len_mean"],
  },
  aside:
    /^(time|eval)\/|^(eps|lr|episode|epoch|learning_rate)$|^ppo\/(learning_rate|returns|val|mean_non_score_reward|std_scores)|^env\/reward_(std|dist)|^(val|objective)\/|^tokens\/|_(std|dist|min|max|var)$/,
});
