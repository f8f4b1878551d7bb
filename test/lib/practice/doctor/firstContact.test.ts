import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { doctor, type DoctorReport } from "turnwise-practice";
import { removeTemporaryFolders, temporaryFolder } from "../../../support/command.js";
import { launch, learning, ramp, verlLog } from "./runs.js";

async function examined(files: Readonly<Record<string, string>>): Promise<DoctorReport> {
  const made = temporaryFolder();
  for (const [name, text] of Object.entries(files)) fs.writeFileSync(path.join(made, name), text);
  return doctor(made);
}

const lines = (steps: number, of: (step: number) => string): string =>
  Array.from({ length: steps }, (_, i) => `${of(i + 1)}\n`).join("");
const wave = (step: number): number => Math.sin(1.7 * step);
/** The cause of that title: its place, from 1, and what is said of it. */
function causeIn(report: DoctorReport, title: RegExp) {
  const at = report.causes.findIndex((one) => title.test(one.title));
  assert.ok(at >= 0, `no cause ${title} among ${report.causes.map((one) => one.title).join("; ")}`);
  return { place: at + 1, said: report.causes[at]!, text: JSON.stringify(report.causes[at]) };
}

/** A console of TRL: a dict a step. */
const trl = (steps: number, of: (step: number) => Readonly<Record<string, number>>): string =>
  lines(
    steps,
    (step) =>
      `{${Object.entries(of(step))
        .map(([name, value]) => `'${name}': ${value}`)
        .join(", ")}}`,
  );

describe("doctor() on consoles of labels", () => {
  after(removeTemporaryFolders);

  it("reads a line of labels a step, percents and units included, to its fall", async () => {
    const console = lines(
      120,
      (step) =>
        `[a] 2026-01-01 00:00:00 - INFO - Step: ${step}/400, Reward Mean: ${(ramp(step, [80, 90], 0.6, 0.02) + 0.01 * wave(step)).toFixed(4)}, Reward Std: 0.3, Hit limit: ${(10 + wave(step)).toFixed(1)}%, Completion Length Mean: 1,251.5, Entropy: ${ramp(step, [70, 80], 0.3, 4).toFixed(3)}, KL Loss Avg: 0.0, Iteration time: 61.02s.`,
    );
    const report = await examined({ "run.log": console });
    assert.equal(report.code, 3);
    assert.match(report.headline, /entropy rose from 0\.3/);
    assert.match(String(report), /common names/);
  });

  it("counts the steps of later epochs on", async () => {
    const console = [1, 2]
      .map((epoch) =>
        lines(
          40,
          (step) =>
            `Epoch:[${epoch}/2](${step}/40), Reward: ${(0.4 + 0.05 * wave(step)).toFixed(3)}, KL_ref: 0.01, Adv Mean: 0.0, Policy Loss: 0.02`,
        ),
      )
      .join("");
    const report = await examined({ "run.log": console });
    assert.match(String(report), /run\.log: 80 steps, 1 to 80/);
  });

  it("takes the reward from the line below its step", async () => {
    const console = lines(
      60,
      (step) =>
        `epoch: 0|step: ${step}|ppo_ep: 1|act_loss: 0.02|cri_loss: 0.1|unsuper_loss: 0.0\naverage reward score: ${(ramp(step, [40, 45], 2, -3) + 0.05 * wave(step)).toFixed(3)}\n-----`,
    );
    const report = await examined({ "run.log": console });
    assert.equal(report.code, 3);
    assert.match(String(report), /average_reward_score/);
  });

  it("reads steps that are printed as JSON among other output, up to the error in which it ends", async () => {
    const steps = lines(
      60,
      (step) =>
        `${JSON.stringify({ step, reward: 0.2 + step / 100 + 0.01 * wave(step), reward_std: 0.2, grad_norm: 0.3 })}\nsaved`,
    );
    const error =
      'Traceback (most recent call last):\n  File "a.py", line 3, in <module>\nRuntimeError: no space left\n';
    for (const first of ["Loading the model, at last\n", ""]) {
      const whole = await examined({
        "run.log": `${first}${first === "" ? steps.replaceAll("saved\n", "") : steps}`,
      });
      assert.equal(whole.code, 0);
      const broken = await examined({
        "run.log": `${first}${first === "" ? steps.replaceAll("saved\n", "") : steps}${error}`,
      });
      assert.equal(broken.code, 4);
      assert.match(String(broken), /run\.log: 60 steps, 1 to 60/);
      assert.match(String(broken), /no space left/);
    }
  });

  it("leaves sentences with numbers alone", async () => {
    await assert.rejects(
      () =>
        examined({
          "run.log": lines(50, (step) => `Step ${step}: loading shard ${step} took: 3 s, and found 12 files`),
        }),
      /Cannot/,
    );
  });
});

describe("doctor() on what a first look gets wrong", () => {
  after(removeTemporaryFolders);

  it("takes a mean length next to the limit for cut answers where their share is not logged", async () => {
    const report = await examined({
      "run.log": trl(100, (step) => ({
        loss: 0.001,
        grad_norm: 0.5,
        reward: ramp(step, [50, 80], 0.5, 0.02) + 0.01 * wave(step),
        reward_std: 0.2,
        completion_length: ramp(step, [30, 70], 400, 1015) + 3 * wave(step),
        kl: 0.01,
      })),
      "run.yaml": "num_generations: 8\nmax_completion_length: 1024\nlearning_rate: 1.0e-6\n",
    });
    const { place, text } = causeIn(report, /run into the limit/);
    assert.ok(place <= 3);
    assert.match(text, /tokens long on average, of 1024/);
  });

  it("assumes the defaults of the release whose names the log has", async () => {
    const run = (length: string) =>
      examined({
        "run.log": trl(60, (step) => ({
          reward: 0.2 + step / 200 + 0.01 * wave(step),
          reward_std: 0.2,
          grad_norm: 0.3,
          [length]: 200,
        })),
        "run.py": "from trl import GRPOConfig\nargs = GRPOConfig(num_generations=8, learning_rate=1e-6)\n",
      });
    // Up to TRL 0.16 a KL was charged by default; today beta is 0.
    assert.match(String(await run("completion_length")), /defaults of TRL 0\.16/);
    assert.doesNotMatch(String(await run("completions/mean_length")), /defaults of TRL 0\.16/);
  });

  it("calls a KL that is charged and yet grows a hundredfold one whose sign is reversed, in a log of that time only", async () => {
    const run = (entropy: string) =>
      examined({
        "run.jsonl": verlLog(120, (step) => {
          const { "actor/entropy": _, ...rest } = learning(() => ({}), [90, 100])(step);
          return {
            ...rest,
            [entropy]: 0.3,
            "actor/kl_coef": 0.001,
            "actor/kl_loss": ramp(step, [50, 80], 0.001, 6),
          };
        }),
        "run.sh": launch(
          "actor_rollout_ref.actor.use_kl_loss=True",
          "actor_rollout_ref.actor.kl_loss_coef=0.001",
          "data.train_batch_size=256 actor_rollout_ref.actor.ppo_mini_batch_size=128",
        ),
      });
    const old = await run("actor/entropy_loss");
    const { place, text } = causeIn(old, /paid for instead of charged/);
    assert.ok(place <= 2);
    assert.match(text, /use_kl_loss=False/);
    // Ten times the coefficient would make it ten times worse.
    assert.doesNotMatch(String(old), /kl_loss_coef=0\.01\b/);
    const now = await run("actor/entropy");
    assert.ok(!now.causes.some(({ title }) => /paid for instead/.test(title)));
  });

  it("names a gradient of 0 in a run of a few steps, and of a trainer whose default makes ratios constant the setting", async () => {
    const report = await examined({
      "run.log": trl(6, (step) => ({
        loss: 0,
        grad_norm: 0,
        reward: 0.3 + 0.05 * wave(step),
        reward_std: 0.2,
        kl: 0,
      })),
      "run.yaml": "train_mode: grpo\ngroup_size: 4\nsteps_per_report: 1\nlearning_rate: 1.0e-5\n",
    });
    assert.equal(report.code, 4);
    const { place, text } = causeIn(report, /no gradient/);
    assert.equal(place, 1);
    assert.match(text, /importance_sampling_level: token/);
  });

  const answers = (empty: number): string =>
    lines(24, (i) =>
      JSON.stringify({
        prompt: `animal ${i % 6}`,
        completion: `<think>it is ${i}</think><answer>${i <= empty ? "" : `dog ${i}`}</answer>`,
        reward: i <= empty || i % 2 === 0 ? 2 : 0,
        step: 1,
      }),
    );
  const rising = trl(80, (step) => ({
    reward: ramp(step, [1, 80], 1, 1.9) + 0.01 * wave(step),
    reward_std: 0.2,
    grad_norm: 0.4,
    kl: 0.01,
  }));

  it("does not end with 0 where empty answers earn the whole reward", async () => {
    const report = await examined({ "run.log": rising, "rollouts.jsonl": answers(18) });
    assert.equal(report.code, 4);
    const { place, text } = causeIn(report, /pays one answer/);
    assert.equal(place, 1);
    assert.match(text, /an empty answer/);
  });

  it("says nothing of answers that differ", async () => {
    const report = await examined({ "run.log": rising, "rollouts.jsonl": answers(0) });
    assert.equal(report.code, 0);
    assert.ok(!report.causes.some(({ title }) => /pays one answer/.test(title)));
  });

  it("names what holds nothing back where spikes of the gradient recur, and leaves one spike alone", async () => {
    const run = (spikes: readonly number[]) =>
      examined({
        "run.jsonl": verlLog(
          160,
          learning((step) => ({ "actor/grad_norm": spikes.includes(step) ? 40 : 0.2 + 0.01 * wave(step) })),
        ),
        "run.sh": launch("data.train_batch_size=256 actor_rollout_ref.actor.ppo_mini_batch_size=64"),
      });
    const { text, said } = causeIn(await run([60, 80, 100, 120, 140]), /updates are too large/);
    assert.match(text, /klInLoss/);
    assert.ok(said.weight > 30);
    const once = (await run([60])).causes.find(({ title }) => /updates are too large/.test(title));
    assert.ok(once === undefined || once.weight <= 15);
  });

  it("finds tokens that sampling forces behind a KL below 0", async () => {
    const report = await examined({
      "run.csv": `step,env/reward_mean,objective/kl,objective/entropy,ppo/loss/policy,ppo/policy/clipfrac\n${lines(60, (step) => `${step},${(0.3 + step / 100 + 0.02 * wave(step)).toFixed(3)},${(3 + 6 * wave(step)).toFixed(2)},90,-0.04,0.1`)}`,
      "run.py":
        'from trl import PPOConfig\nconfig = PPOConfig(batch_size=64, mini_batch_size=64, ppo_epochs=4)\ngeneration_kwargs = {"min_new_tokens": 10, "top_p": 1.0}\n',
    });
    const { place, text } = causeIn(report, /did not sample/);
    assert.equal(place, 1);
    assert.match(text, /min_new_tokens=10/);
  });

  it("refuses a configuration of supervised training with the reason", async () => {
    await assert.rejects(
      () =>
        examined({
          "args.json": JSON.stringify({
            train_type: "lora",
            task_type: "causal_lm",
            rlhf_type: null,
            learning_rate: 1e-4,
            lora_rank: 8,
            max_length: 2048,
            template: "qwen",
            model_type: "qwen",
            model: "m",
          }),
        }),
      /reinforcement|supervised/i,
    );
  });
});
