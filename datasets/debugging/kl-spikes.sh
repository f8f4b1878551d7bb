#!/usr/bin/env bash
python3 -m verl.trainer.main_ppo \
  algorithm.adv_estimator=grpo \
  actor_rollout_ref.rollout.n=8 \
  data.train_batch_size=128 \
  actor_rollout_ref.actor.ppo_mini_batch_size=64 \
  actor_rollout_ref.actor.use_kl_loss=True \
  actor_rollout_ref.actor.kl_loss_coef=0.04 \
  algorithm.use_kl_in_reward=True \
  algorithm.kl_ctrl.kl_coef=0.04
