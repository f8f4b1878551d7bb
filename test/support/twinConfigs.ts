export const actor = "actor_rollout_ref.actor.";

/** A launch script of verl with such settings. */
export const script = (...settings: readonly string[]): string =>
  [
    "python3 -m verl.trainer.main_ppo",
    "algorithm.adv_estimator=grpo",
    "actor_rollout_ref.rollout.n=8",
    "data.train_batch_size=128",
    ...settings,
  ].join(" ");

/** Sixteen steps on each batch, and nothing that bounds them. */
export const manySteps = script(
  `${actor}ppo_mini_batch_size=32`,
  `${actor}ppo_epochs=4`,
  `${actor}clip_ratio_low=1`,
  `${actor}clip_ratio_high=1000000000`,
  `${actor}clip_ratio_c=10000000000`,
  "algorithm.norm_adv_by_std_in_grpo=False",
);

/** A configuration of TRL that takes one step on each batch. */
export const plain = "num_generations: 8\nnum_iterations: 1\nscale_rewards: none\nloss_type: dr_grpo\n";
