import { framework } from "../framework";
import { verl } from "./verl";

/**
 * RAGEN, which logs through verl: its names and those of the filter of rollouts.
 *
 * Its standard deviations have n - 1 in the denominator. Validation is logged as val-env/NAME/success and does not belong to
 * training.
 *
 * @see https://github.com/RAGEN-AI/RAGEN at 5eb79b82cecc31db5662ba3c96b752405692410b: `ragen/trainer/agent_trainer.py`
 * (rollout/in_group), `ragen/llm_agent/es_manager.py` (NAME/success)
 */
export const ragen = framework({
  ...verl,
  title: "RAGEN",
  metrics: {
    ...verl.metrics,
    "reward/mean": ["rollout/in_group_mean", ...verl.metrics["reward/mean"]!],
    "reward/std": ["rollout/in_group_std", "rollout/in_group_reward_std"],
    "filter/fracKept": ["rollout/filter_kept_ratio"],
  },
  patterns: { "success/mean": /^(?!val|reward_extra_info)(?:[^/]+\/)?[^/]+\/success$/ },
});
