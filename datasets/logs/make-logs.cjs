// The sample logs of this folder: one collapse of our own, in the metric names of other frameworks.
// To renew them: npm run generated
"use strict";
const { echoTrapTraining } = require("turnwise-course/echo-trap");

// Trap A, the first seed that solves the task and then collapses; its fall is at update 84.
const job = { trap: "reuse", lever: "vanilla", seed: 2 };
const UPDATES = 110;
// Others report stds of the sample form; groups here have 8 members.
const SAMPLE_FORM = Math.sqrt(8 / 7);

const short = (x) => Number(x.toPrecision(5));
const rounded = (line) => Object.fromEntries(Object.entries(line).map(([k, v]) => [k, short(v)]));

const verl = (m) => ({
  "critic/score/mean": m["reward/mean"],
  "critic/rewards/mean": m["reward/mean"],
  "critic/advantages/mean": m["advantage/mean"],
  "actor/pg_loss": m["policy/loss"],
  "actor/entropy": m["policy/entropy"],
  "actor/ppo_kl": m["policy/approxKl"],
  "actor/pg_clipfrac": m["policy/clipFracLow"] + m["policy/clipFracHigh"],
  "actor/pg_clipfrac_lower": m["policy/clipFracDual"],
  "actor/grad_norm": m["policy/gradNorm"],
  "response_length/mean": m["tokens/mean"],
  // Messages of both sides.
  "num_turns/mean": 2 * m["turns/mean"],
});

const ragen = (m) => ({
  ...verl(m),
  "rollout/in_group_std": m["reward/std"] * SAMPLE_FORM,
  "rollout/in_group_mean": m["reward/mean"],
  "train/ToolChain/success": m["success/mean"],
});

const openrlhf = (m) => ({
  reward: m["reward/mean"],
  group_reward_std: m["reward/std"] * SAMPLE_FORM,
  policy_loss: m["policy/loss"],
  entropy_loss: m["policy/entropy"],
  ppo_kl: m["policy/approxKl"],
  ppo_clip_ratio: m["policy/clipFracLow"] + m["policy/clipFracHigh"],
  actor_grad_norm: m["policy/gradNorm"],
  response_length: m["tokens/mean"],
});

const formats = {
  verl: ({ update, metrics }) => ({ step: update, data: rounded(verl(metrics)) }),
  ragen: ({ update, metrics }) => ({ step: update, data: rounded(ragen(metrics)) }),
  // RAGEN-2 looks for a collapse at the first step and at every fifth.
  ragen2: ({ update, metrics }) => ({
    step: update,
    data: rounded({
      ...ragen(metrics),
      ...(update === 1 || update % 5 === 0
        ? {
            "collapse_trajectory_sample/mi_estimate":
              metrics["response/mutualInformation"] / metrics["tokens/mean"],
          }
        : {}),
    }),
  }),
  // Its trainer and its orchestrator write to one file.
  primeRl: ({ update, metrics: m }) => [
    {
      step: update,
      ...rounded({
        "train/agg/effective/agent/reward/mean": m["reward/mean"],
        "train/agg/effective/num_turns/mean": m["turns/mean"],
        "train/agg/effective/num_output_tokens/mean": m["tokens/mean"],
      }),
    },
    { step: update, ...rounded({ "optim/grad_norm": m["policy/gradNorm"] }) },
    { step: update, ...rounded({ "loss/mean": m["policy/loss"], "entropy/all/mean": m["policy/entropy"] }) },
  ],
  skyrl: ({ update, metrics: m }) => ({
    step: update,
    ...rounded({
      "reward/avg_raw_reward": m["reward/mean"],
      "loss/avg_raw_advantages": m["advantage/mean"],
      "policy/policy_loss": m["policy/loss"],
      "policy/policy_entropy": m["policy/entropy"],
      "policy/loss_metrics/clip_ratio": m["policy/clipFracLow"] + m["policy/clipFracHigh"],
      "policy/grad_norm": m["policy/gradNorm"],
      "generate/avg_assistant_tokens": m["tokens/mean"],
    }),
  }),
  tinker: ({ update, metrics: m }) => ({
    step: update,
    ...rounded({
      "env/all/reward/total": m["reward/mean"],
      "env/all/by_group/frac_mixed": 1 - m["reward/fracZeroStd"],
      "env/all/turns_per_episode": m["turns/mean"],
      "optim/entropy": m["policy/entropy"],
    }),
  }),
  // Rollouts and optimiser steps are told in lines of their own.
  slime: ({ update, metrics: m }) => [
    {
      "rollout/step": update,
      ...rounded({ "rollout/raw_reward": m["reward/mean"], "rollout/response_len/mean": m["tokens/mean"] }),
    },
    {
      "train/step": update,
      ...rounded({
        "train/pg_loss": m["policy/loss"],
        "train/entropy_loss": m["policy/entropy"],
        "train/ppo_kl": m["policy/approxKl"],
        "train/pg_clipfrac": m["policy/clipFracLow"] + m["policy/clipFracHigh"],
        "train/grad_norm": m["policy/gradNorm"],
      }),
    },
  ],
  openrlhf: ({ update, metrics }) => ({
    "train/global_step": update,
    ...rounded(Object.fromEntries(Object.entries(openrlhf(metrics)).map(([k, v]) => [`train/${k}`, v]))),
  }),
  nemoRl: ({ update, metrics: m }) => ({
    "train/step": update,
    ...rounded({
      "train/reward": m["reward/mean"],
      "train/loss": m["policy/loss"],
      "train/grad_norm": m["policy/gradNorm"],
      "train/approx_entropy": m["policy/entropy"],
      "train/mean_gen_tokens_per_sample": m["tokens/mean"],
      "train/avg_turns_per_sample": m["turns/mean"],
    }),
  }),
  openInstruct: ({ update, metrics: m }) => ({
    training_step: update,
    ...rounded({
      "objective/scores": m["reward/mean"],
      "objective/verifiable_correct_rate": m["success/mean"],
      "loss/policy_avg": m["policy/loss"],
      "policy/entropy_avg": m["policy/entropy"],
      "policy/clipfrac_avg": m["policy/clipFracLow"] + m["policy/clipFracHigh"],
      "optim/grad_norm": m["policy/gradNorm"],
      "val/sequence_lengths": m["tokens/mean"],
    }),
  }),
  areal: ({ update, metrics: m }) => ({
    step: update,
    ...rounded({
      "ppo_actor/task_reward/avg": m["reward/mean"],
      "ppo_actor/advantages/avg": m["advantage/mean"],
      "ppo_actor/update/actor_loss/avg": m["policy/loss"],
      "ppo_actor/update/entropy/avg": m["policy/entropy"],
      "ppo_actor/update/clip_ratio/avg": m["policy/clipFracLow"] + m["policy/clipFracHigh"],
      "ppo_actor/update/grad_norm": m["policy/gradNorm"],
      "ppo_actor/seq_len/avg": m["tokens/mean"],
    }),
  }),
  roll: ({ update, metrics: m }) => ({
    "system/step": update,
    ...rounded({
      "critic/score/mean": m["reward/mean"],
      "actor/pg_loss@sum": m["policy/loss"],
      "actor/entropy@sum": m["policy/entropy"],
      "actor/ppo_ratio_low_clipfrac@sum": m["policy/clipFracLow"],
      "actor/ppo_ratio_high_clipfrac@sum": m["policy/clipFracHigh"],
      "actor_train/grad_norm": m["policy/gradNorm"],
      "tokens/response_length/mean": m["tokens/mean"],
    }),
  }),
  // The names that its callbacks get; groups have no n - 1 there.
  mlxLmLora: ({ update, metrics: m }) => ({
    iteration: update,
    ...rounded({
      train_loss: m["policy/loss"],
      train_total_rewards_mean: m["reward/mean"],
      train_grouped_rewards_std: m["reward/std"],
      train_average_generated_tokens: m["tokens/mean"],
      train_clip_ratio_low: m["policy/clipFracLow"],
      train_clip_ratio_high: m["policy/clipFracHigh"],
      train_clip_ratio_total: m["policy/clipFracLow"] + m["policy/clipFracHigh"],
    }),
  }),
  trlPpo: ({ update, metrics: m }) => ({
    step: update,
    ...rounded({
      "env/reward_mean": m["reward/mean"],
      "ppo/loss/policy": m["policy/loss"],
      "ppo/policy/entropy": m["policy/entropy"],
      "ppo/policy/approxkl": m["policy/approxKl"],
      "ppo/policy/clipfrac": m["policy/clipFracLow"] + m["policy/clipFracHigh"],
      "tokens/responses_len_mean": m["tokens/mean"],
    }),
  }),
  // As many scripts call them.
  common: ({ update, metrics: m }) => ({
    step: update,
    ...rounded({
      reward_mean: m["reward/mean"],
      policy_loss: m["policy/loss"],
      entropy_mean: m["policy/entropy"],
      grad_norm: m["policy/gradNorm"],
      clip_frac: m["policy/clipFracLow"] + m["policy/clipFracHigh"],
      avg_response_len: m["tokens/mean"],
    }),
  }),
  trl: ({ update, metrics: m }) => ({
    ...rounded({
      loss: m["policy/loss"],
      grad_norm: m["policy/gradNorm"],
      reward: m["reward/mean"],
      reward_std: m["reward/std"] * SAMPLE_FORM,
      frac_reward_zero_std: m["reward/fracZeroStd"],
      entropy: m["policy/entropy"],
      "clip_ratio/low_mean": m["policy/clipFracLow"],
      "clip_ratio/high_mean": m["policy/clipFracHigh"],
      "clip_ratio/region_mean": m["policy/clipFracLow"] + m["policy/clipFracHigh"],
      "completions/mean_length": m["tokens/mean"],
    }),
    step: update,
  }),
};

/** The text of each log, by its file's name. */
async function logs() {
  const records = [];
  for await (const record of echoTrapTraining(job)) if (records.push(record) === UPDATES) break;
  const text = (lines) =>
    records.flatMap((record) => [lines(record)].flat().map((line) => JSON.stringify(line))).join("\n") + "\n";
  return Object.fromEntries(Object.entries(formats).map(([name, line]) => [`${name}.jsonl`, text(line)]));
}

module.exports = { logs };
