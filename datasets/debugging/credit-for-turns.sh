#!/usr/bin/env bash
python3 -m verl.trainer.main_ppo \
  algorithm.adv_estimator=gae \
  algorithm.gamma=0.99 \
  algorithm.lam=0.95 \
  data.train_batch_size=128 \
  actor_rollout_ref.actor.ppo_mini_batch_size=64
