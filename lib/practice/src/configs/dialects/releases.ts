import type { FlagValue } from "../given";

/** Defaults of former releases, under the current names. */
type Defaults = Readonly<Record<string, FlagValue>>;

const until024: Defaults = { loss_type: "bnpo", vllm_importance_sampling_correction: false };
const until019: Defaults = { ...until024, beta: 0.04 };
const until018: Defaults = { ...until019, temperature: 0.9 };
const until017: Defaults = { ...until018, loss_type: "grpo" };

/**
 * Releases whose defaults are not those of today. Only those are listed that were looked at.
 *
 * @see trl 0.14.0 to 0.24.0 on PyPI: trainer/grpo_config.py; verl 0.4.1 on PyPI: trainer/config/ppo_trainer.yaml
 */
export const releases: Readonly<Record<string, Readonly<Record<string, Defaults>>>> = {
  trl: {
    "0.14": until017,
    "0.15": until017,
    "0.16": until017,
    "0.17": until018,
    "0.18": until019,
    "0.19": until024,
    "0.21": until024,
    "0.24": {},
  },
  verl: {
    "0.2": {
      "actor_rollout_ref.actor.entropy_coeff": 0.001,
      "actor_rollout_ref.actor.clip_ratio_c": 1e9,
      "algorithm.use_kl_in_reward": true,
    },
    "0.4": {},
  },
};
