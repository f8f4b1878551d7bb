// The examples of docs/debugging.md: runs that break in one way each, in the forms of trainers. Nothing in them was measured.
// To renew them: npm run generated
"use strict";

const STEPS = 140;
const short = (x) => Number(x.toPrecision(4));

/** From -1 to 1, the same for every run. */
const noise = (step, salt) => (((step * 7919 + salt * 104729) % 1009) / 1009) * 2 - 1;

/** From one value to another between two steps, and level before and after. */
const ramp = (step, start, end, from, to) =>
  from + (to - from) * Math.min(1, Math.max(0, (step - start) / (end - start)));

/** Success that learns from .1 to .45, and falls between two steps if they are given. */
const success = (step, fall) =>
  Math.max(0, ramp(step, 1, 70, 0.1, 0.45) * (fall ? ramp(step, ...fall, 1, 0) : 1) + 0.02 * noise(step, 1));

const steps = Array.from({ length: STEPS }, (_, i) => i + 1);
const rounded = (values) =>
  Object.fromEntries(Object.entries(values).map(([k, v]) => [k, typeof v === "number" ? short(v) : v]));

const verl = (of) => steps.map((step) => `${JSON.stringify({ step, data: rounded(of(step)) })}\n`).join("");
const trl = (of) => steps.map((step) => `${JSON.stringify({ step, ...rounded(of(step)) })}\n`).join("");

const launch = (...flags) =>
  `#!/usr/bin/env bash\npython3 -m verl.trainer.main_ppo \\\n  ${flags.join(" \\\n  ")}\n`;
const actor = (setting) => `actor_rollout_ref.actor.${setting}`;
const grpo = ["algorithm.adv_estimator=grpo", "actor_rollout_ref.rollout.n=8", "data.train_batch_size=128"];

const END = 151645;
const PAD = 151643;
const rollouts = Array.from({ length: 24 }, (_, n) => n);
/** Ids of an answer, of 8 to 14 tokens before its end. */
const idsOf = (n) => Array.from({ length: 8 + (n % 7) }, (_, i) => 1000 + ((97 * n + 31 * i) % 5000));
const logProbsOf = (n, length, salt, size) =>
  Array.from({ length }, (_, i) =>
    short(Math.min(-0.001, -0.6 + 0.55 * noise(i + 20 * n, 5) + size * noise(i + 20 * n, salt))),
  );
const jsonl = (records) => records.map((record) => `${JSON.stringify(record)}\n`).join("");

const examples = () => ({
  "entropy-rises/run.jsonl": verl((step) => ({
    "critic/score/mean": success(step, [100, 120]),
    "actor/entropy": ramp(step, 80, 120, 0.3, 6.3) + 0.01 * noise(step, 2),
    "actor/grad_norm": ramp(step, 84, 120, 0.2, 3.9) + 0.01 * noise(step, 3),
    "actor/kl_loss": ramp(step, 88, 125, 0.01, 5),
    "response_length/mean": ramp(step, 95, 115, 500, 4000) + 10 * noise(step, 4),
    "response_length/clip_ratio": ramp(step, 95, 115, 0, 0.96),
    "tool_call_counts/mean": ramp(step, 105, 115, 2, 0.1),
  })),
  "entropy-rises/launch.sh": launch(
    ...grpo,
    actor("ppo_mini_batch_size=64"),
    actor("use_kl_loss=True"),
    actor("kl_loss_coef=0.001"),
    actor("entropy_coeff=0.01"),
  ),
  "nan.jsonl": verl((step) => ({
    "critic/score/mean": success(step),
    "actor/pg_loss": step < 100 ? 0.01 * noise(step, 2) : "NaN",
    "actor/grad_norm": step < 100 ? 0.2 + 0.01 * noise(step, 3) : "NaN",
    "actor/entropy": step < 100 ? 0.4 + 0.01 * noise(step, 4) : "NaN",
  })),
  "loss-is-zero.jsonl": trl((step) => ({
    loss: 0,
    grad_norm: 0,
    reward: 0.05,
    reward_std: 0,
    frac_reward_zero_std: 1,
    entropy: 0.4 + 0.01 * noise(step, 2),
  })),
  "clip-ratio-zero.sh": launch(...grpo, actor("ppo_mini_batch_size=128"), actor("clip_ratio_high=0.28")),
  "many-steps.sh": launch(
    ...grpo,
    actor("ppo_mini_batch_size=32"),
    actor("ppo_epochs=4"),
    actor("clip_ratio_low=1"),
    actor("clip_ratio_high=1000000000"),
    actor("clip_ratio_c=10000000000"),
    "algorithm.norm_adv_by_std_in_grpo=False",
  ),
  "kl-spikes.sh": launch(
    ...grpo,
    actor("ppo_mini_batch_size=64"),
    actor("use_kl_loss=True"),
    actor("kl_loss_coef=0.04"),
    "algorithm.use_kl_in_reward=True",
    "algorithm.kl_ctrl.kl_coef=0.04",
  ),
  "engines-apart.jsonl": trl((step) => ({
    reward: success(step, [95, 125]),
    reward_std: 0.3 + 0.01 * noise(step, 2),
    frac_reward_zero_std: 0.2,
    entropy: 0.4 + 0.01 * noise(step, 3),
    "sampling/sampling_logp_difference/mean": ramp(step, 60, 110, 0.06, 3.8) + 0.002 * noise(step, 4),
  })),
  "tool-tokens.sh": launch(
    ...grpo,
    actor("ppo_mini_batch_size=64"),
    actor("state_masking=False"),
    "do_search=true",
  ),
  "tools-no-longer-called.jsonl": verl((step) => ({
    "critic/score/mean": success(step, [95, 120]),
    "actor/entropy": 0.4 + 0.01 * noise(step, 2),
    "tool_call_counts/mean": ramp(step, 80, 100, 2, 0.05) + 0.02 * noise(step, 3),
    "num_turns/mean": ramp(step, 80, 100, 6, 2) + 0.02 * noise(step, 4),
  })),
  "credit-for-turns.sh": launch(
    "algorithm.adv_estimator=gae",
    "algorithm.gamma=0.99",
    "algorithm.lam=0.95",
    "data.train_batch_size=128",
    actor("ppo_mini_batch_size=64"),
  ),
  "mixed-groups.jsonl": [
    ["a", "Find the capital of Chad.", 1],
    ["a", "Find the capital of Chad.", 0],
    ["b", "Find the capital of Peru.", 1],
    ["b", "Find the third root of 12 without a calculator.", 0],
    ["c", "Find the capital of Laos.", 1],
    ["c", "Prove that there are infinitely many primes.", 0],
  ]
    .map(([group, content, reward]) =>
      JSON.stringify({
        group,
        reward,
        messages: [
          { role: "user", content },
          { role: "assistant", content: reward === 1 ? "Here it is." : "I cannot tell." },
        ],
      }),
    )
    .join("\n")
    .concat("\n"),
  // Batches of 8 are filled up to the longest answer, and the mask is of all tokens.
  "padding.jsonl": jsonl(
    rollouts.map((n) => {
      const answer = [...idsOf(n), END];
      const completion_ids = [...answer, ...Array.from({ length: 15 - answer.length }, () => PAD)];
      return {
        group: `task ${Math.floor(n / 8)}`,
        completion_ids,
        completion_mask: completion_ids.map(() => 1),
        reward: n % 3 === 0 ? 1 : 0,
      };
    }),
  ),
  // The trainer's log-probs are those of the token after.
  "misaligned-tokens.jsonl": jsonl(
    rollouts.map((n) => {
      const response_ids = [...idsOf(n), END];
      const rollout_log_probs = logProbsOf(n, response_ids.length, 6, 0.01);
      return {
        uid: `task ${Math.floor(n / 8)}`,
        response_ids,
        response_mask: response_ids.map(() => 1),
        rollout_log_probs,
        old_log_probs: [...logProbsOf(n, response_ids.length, 7, 0.01).slice(1), -0.5],
        score: n % 3 === 0 ? 1 : 0,
      };
    }),
  ),
  // The format pays, and the answers get worse.
  "reward-parts.jsonl": trl((step) => ({
    reward: ramp(step, 1, 110, 0.4, 0.9) + 0.02 * noise(step, 1),
    reward_std: 0.3 + 0.01 * noise(step, 2),
    "rewards/format/mean": ramp(step, 1, 80, 0.2, 1),
    "rewards/accuracy/mean": ramp(step, 40, 110, 0.5, 0.05) + 0.02 * noise(step, 3),
    entropy: 0.4 + 0.01 * noise(step, 4),
  })),
  // An adapter at the step size of all weights.
  "reward-stays-flat/log.jsonl": trl((step) => ({
    reward: 0.3 + 0.1 * noise(step, 1),
    reward_std: 0.3 + 0.05 * noise(step, 2),
    grad_norm: 0.15 + 0.05 * noise(step, 3),
    kl: 0.00002 + 0.00001 * noise(step, 4),
  })),
  "reward-stays-flat/args.yaml": [
    "num_generations: 8",
    "learning_rate: 5e-7",
    "beta: 0.001",
    "max_completion_length: 1024",
    "use_peft: true",
    "lora_r: 16",
    "",
  ].join("\n"),
  "kl-below-zero.jsonl": verl((step) => ({
    "critic/score/mean": success(step, [100, 120]),
    "actor/entropy": 0.4 + 0.01 * noise(step, 2),
    "actor/grad_norm": 0.3 + 0.01 * noise(step, 3),
    "critic/kl": ramp(step, 40, 110, 0, -2.5) + 0.005 * noise(step, 4),
  })),
  "after-a-resume.log": [...steps.slice(0, 80), ...steps.slice(60, 110)]
    .map((step, i) => {
      const score = i < 80 ? success(step) : 0.02 + 0.01 * noise(step, 2);
      const entropy = 0.5 + 0.01 * noise(step, 3);
      return `(TaskRunner pid=1) step:${step} - critic/score/mean:${short(Math.max(0, score))} - actor/entropy:${short(entropy)} - actor/grad_norm:0.3\n`;
    })
    .join(""),
  "cut-answers.jsonl": trl((step) => ({
    reward: success(step, [90, 120]),
    reward_std: 0.3 + 0.01 * noise(step, 2),
    frac_reward_zero_std: 0.2,
    entropy: 0.4 + 0.01 * noise(step, 3),
    "completions/mean_length": ramp(step, 60, 100, 90, 250) + 2 * noise(step, 4),
    "completions/clipped_ratio": ramp(step, 60, 100, 0.02, 0.93),
  })),
});

module.exports = { examples };
