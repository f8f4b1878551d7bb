// The sample logs of this folder: one collapse of our own, in the metric names of three frameworks.
// To renew them: npm run generated
"use strict";
const { echoTrapTraining } = require("turnwise/study");

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
  "num_turns/mean": m["turns/mean"],
});

const formats = {
  verl: ({ update, metrics }) => ({ step: update, data: rounded(verl(metrics)) }),
  ragen: ({ update, metrics }) => ({
    step: update,
    data: rounded({
      ...verl(metrics),
      "rollout/in_group_std": metrics["reward/std"] * SAMPLE_FORM,
      "rollout/in_group_mean": metrics["reward/mean"],
      "train/ToolChain/success": metrics["success/mean"],
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
  const text = (line) => records.map((record) => JSON.stringify(line(record))).join("\n") + "\n";
  return Object.fromEntries(Object.entries(formats).map(([name, line]) => [`${name}.jsonl`, text(line)]));
}

module.exports = { logs };
