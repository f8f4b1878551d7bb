import { framework } from "../framework";

const each = (...names: string[]): string[] =>
  names.flatMap((name) => [`actor/${name}@sum`, `actor/${name}`]);

/**
 * ROLL's trackers. `@sum` tells how parts of a batch are put together, and was added later.
 *
 * `approxkl` is half the squared log-ratio to the old policy.
 *
 * @see https://github.com/alibaba/ROLL: `roll/pipeline/base_worker.py` and `roll/pipeline/rlvr/actor_worker.py` (actor),
 * `roll/utils/metrics` (critic, tokens)
 */
export const roll = framework({
  title: "ROLL",
  step: ["system/step", "step", "global_step"],
  metrics: {
    "reward/mean": ["critic/score/mean", "critic/rewards/mean"],
    "advantage/mean": ["critic/advantages/mean"],
    "policy/loss": each("pg_loss"),
    "policy/entropy": [...each("entropy"), "critic/entropy/mean"],
    "policy/approxKl": each("approxkl"),
    "policy/klReference": each("kl_loss"),
    "policy/clipFrac": each("ppo_ratio_clipfrac", "clipfrac"),
    "policy/clipFracLow": each("ppo_ratio_low_clipfrac"),
    "policy/clipFracHigh": each("ppo_ratio_high_clipfrac"),
    "policy/ratioMax": ["actor/ratio_max@max", "actor/ratio_max"],
    "policy/ratioMin": ["actor/ratio_min@min", "actor/ratio_min"],
    "policy/gradNorm": ["actor_train/grad_norm"],
    "tokens/mean": ["tokens/response_length/mean", "token/response_length/mean"],
  },
  patterns: { "success/mean": /^env\/[^/]+\/success$/ },
  aside:
    /^(time|system|val|actor_infer|memory)\/|\/(min|max)$|^actor\/(lr|total_loss|weighted_pg_loss|policykl|valid_|total_)/,
});
