#!/usr/bin/env bash
python3 -m verl.trainer.main_ppo \
  algorithm.adv_estimator=grpo \
  actor_rollout_ref.rollout.n=8 \
  data.train_batch_size=128 \
  actor_rollout_ref.actor.ppo_mini_batch_size=32 \
  actor_rollout_ref.actor.ppo_epochs=4 \
  actor_rollout_ref.actor.clip_ratio_low=1 \
  actor_rollout_ref.actor.clip_ratio_high=1000000000 \
  actor_rollout_ref.actor.clip_ratio_c=10000000000 \
  algorithm.norm_adv_by_std_in_grpo=False
