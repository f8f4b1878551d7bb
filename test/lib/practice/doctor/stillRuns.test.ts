import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { doctor, type DoctorReport } from "turnwise-practice";
import { removeTemporaryFolders, temporaryFolder } from "../../../support/command.js";
import { launch, learning, ramp, verlLog } from "./runs.js";

function folder(files: Readonly<Record<string, string>>): string {
  const made = temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(made, name)), { recursive: true });
    fs.writeFileSync(path.join(made, name), text);
  }
  return made;
}

type Course = (step: number) => Readonly<Record<string, number>>;

const trlLog = (steps: number, course: Course, first = 1): string =>
  Array.from(
    { length: steps },
    (_, i) => `${JSON.stringify({ step: first + i, ...course(first + i) })}\n`,
  ).join("");
const noise = (step: number): number => Math.sin(12.9898 * step) * Math.cos(78.233 * step);
const cause = (report: DoctorReport, name: string) => report.causes.find((one) => one.name === name);
const said = (report: DoctorReport, name: string): string => cause(report, name)?.evidence.join("; ") ?? "";
const first = (report: DoctorReport): string | undefined => report.causes[0]?.name;
const actor = "actor_rollout_ref.actor";

describe("doctor() on runs that learn nothing, or lose it at once", () => {
  after(removeTemporaryFolders);

  it("does not end with 0 where success never rose, and does where it rose or was high", async () => {
    const code = async (reward: (step: number) => number, start = 1): Promise<number> =>
      (
        await doctor(
          folder({
            "log.jsonl": trlLog(
              60,
              (step) => ({ reward: reward(step) + 0.05 * noise(step), reward_std: 0.3, grad_norm: 0.2 }),
              start,
            ),
          }),
        )
      ).code;
    assert.equal(await code(() => 0.3), 4);
    assert.equal(await code((step) => ramp(step, [1, 50], 0.3, 0.6)), 0);
    assert.equal(await code((step) => ramp(step, [1, 6], 0.2, 0.6)), 0, "it rose in its first steps");
    assert.equal(await code(() => 0.9), 0, "little is left to learn");
    // Where a run that was resumed began is not in its log.
    assert.equal(await code(() => 0.3, 300), 0);
  });

  it("names a step size that moves no adapter, and no other", async () => {
    const of = (rate: string, reward: (step: number) => number = () => 0.3) =>
      doctor(
        folder({
          "log.jsonl": trlLog(100, (step) => ({
            reward: reward(step) + 0.05 * noise(step),
            reward_std: 0.3,
            grad_norm: 0.2,
            kl: 0.00002,
          })),
          "train.py": `from trl import GRPOConfig, GRPOTrainer\nargs = GRPOConfig(num_generations=8, beta=0.001, learning_rate=${rate})\ntrainer = GRPOTrainer(model=m, args=args, peft_config=LoraConfig(r=8))\n`,
        }),
      );
    const slow = await of("5e-7");
    assert.equal(first(slow), "steps-too-small");
    assert.deepEqual(slow.causes[0]!.change, [{ setting: "learningRate", value: 1e-5 }]);
    assert.match(said(slow, "steps-too-small"), /the KL to the reference is at most 0\.00002 in 100 steps/);
    // The KL alone is no headline but for what it shows.
    assert.deepEqual((await of("2e-5")).causes[0]?.change, []);
    const learns = await of("2e-5", (step) => ramp(step, [1, 90], 0.3, 0.7));
    assert.equal(cause(learns, "steps-too-small"), undefined);
  });

  it("sees what only the first steps after a resume still had", async () => {
    const of = (start: number, after: number, script = "--train_type full") =>
      doctor(
        folder({
          "log.jsonl": trlLog(
            40,
            (step) => ({
              reward: step === start ? 1.5 : after + 0.01 * noise(step),
              reward_std: 0.2,
              grad_norm: 1,
            }),
            start,
          ),
          "train.sh": `swift rlhf --rlhf_type grpo --num_generations 8 ${script} --resume_from_checkpoint v0/checkpoint-200\n`,
        }),
      );
    const lost = await of(201, 0.03);
    assert.equal(lost.code, 4);
    assert.equal(first(lost), "after-a-resume");
    assert.match(said(lost, "after-a-resume"), /success was 1\.5 then, and is 0\.0\d* from step 202 on/);
    const adapter = await of(201, 0.03, "--train_type lora --vllm_enable_lora true");
    assert.match(adapter.causes[0]!.advice!, /--vllm_enable_lora false/);
    assert.equal(cause(await of(201, 1.4), "after-a-resume"), undefined);
    // A log from the first step on is of no resume, and lost it all the same.
    const fresh = await of(1, 0.03);
    assert.equal(cause(fresh, "after-a-resume"), undefined);
    assert.equal(fresh.code, 4);
    assert.match(fresh.headline, /success was 1\.5 at first/);
  });

  it("tells a gap that the first updates open from one that was there before, or came later", async () => {
    const of = (gap: (step: number) => number) =>
      doctor(
        folder({
          "log.jsonl": trlLog(40, (step) => ({
            reward: ramp(step, [1, 40], 0.3, 0.6) + 0.02 * noise(step),
            reward_std: 0.3,
            grad_norm: 0.2,
            "sampling/sampling_logp_difference/mean": gap(step) + 0.001 * noise(step),
          })),
          "args.yaml": "num_generations: 8\nuse_vllm: true\nvllm_enable_sleep_mode: true\n",
        }),
      );
    const opened = await of((step) => (step < 3 ? 0.015 : 0.2 + 0.02 * step));
    assert.equal(first(opened), "weights-not-loaded");
    assert.match(opened.causes[0]!.advice!, /vllm_enable_sleep_mode=False/);
    assert.equal(opened.code, 4, "rewards of the first policy say nothing of the one that is trained");
    assert.equal(cause(await of(() => 0.4), "weights-not-loaded"), undefined);
    assert.equal(cause(await of(() => 0.015), "weights-not-loaded"), undefined);
  });

  it("turns a weight below 0 around, where entropy rises for it", async () => {
    const of = (weight: string) =>
      doctor(
        folder({
          "log.jsonl": verlLog(
            160,
            learning((step) => ({ "actor/entropy": ramp(step, [60, 140], 0.3, 3) })),
          ),
          "run.sh": launch(`${actor}.use_kl_loss=True`, `${actor}.kl_loss_coef=${weight}`),
        }),
      );
    assert.deepEqual(cause(await of("-0.001"), "entropy-rises")!.change, [
      { setting: "klLossCoef", value: 0.001 },
    ]);
    assert.deepEqual(cause(await of("0.001"), "entropy-rises")!.change, [
      { setting: "klLossCoef", value: 0.01 },
    ]);
  });

  it("says that the clip never acts where it is relied on", async () => {
    const of = (course: Course, ...flags: string[]) =>
      doctor(
        folder({
          "log.jsonl": verlLog(
            120,
            learning((step) => ({ "actor/pg_clipfrac": 0, ...course(step) })),
          ),
          "run.sh": launch("data.train_batch_size=128", ...flags),
        }),
      );
    const once = `${actor}.ppo_mini_batch_size=128`;
    // The script of these tests raises the upper width.
    const idle = await of(() => ({}), once);
    assert.match(said(idle, "clip-never-acts"), /clip_ratio_high=0\.28 cannot act/);
    assert.deepEqual(cause(idle, "clip-never-acts")!.change, [{ setting: "epochs", value: 2 }]);
    assert.equal(idle.code, 0);
    const left = await of((step) => ({ "actor/entropy": ramp(step, [60, 100], 0.3, 2) }), once);
    assert.equal(
      cause(left, "clip-never-acts")!.title,
      "the clip never acts, and nothing else holds the policy",
    );
    const several = await of(() => ({}), `${actor}.ppo_mini_batch_size=32`);
    assert.match(said(several, "clip-never-acts"), /used for 4 optimizer steps/);
    assert.equal(cause(several, "clip-never-acts")!.weight, 42);
  });

  it("lets the log decide on what nearly every configuration has", async () => {
    const of = (course: Course) =>
      doctor(
        folder({
          "log.jsonl": verlLog(
            120,
            learning((step) => course(step)),
          ),
          "run.sh": launch("actor_rollout_ref.rollout.name=vllm"),
        }),
      );
    const found = (report: DoctorReport) => {
      const all = report.toJSON().configuration!.found;
      return (["engine-without-correction", "truncated-as-failures"] as const).map((id) => {
        const one = all.find((finding) => finding.id === id);
        return one && `${one.severity} ${all.indexOf(one) >= all.length - 2 ? "last" : ""}`.trim();
      });
    };
    // Without a metric they are notes below all others; with one they are warnings or nothing.
    assert.deepEqual(found(await of(() => ({}))), ["note last", "note last"]);
    const worse = await of((step) => ({
      "training/rollout_probs_diff_mean": ramp(step, [40, 100], 0.01, 0.2),
      "response_length/clip_ratio": ramp(step, [40, 100], 0.02, 0.5),
    }));
    assert.deepEqual(
      found(worse).map((one) => one?.split(" ")[0]),
      ["warning", "warning"],
    );
    const fine = await of(() => ({
      "training/rollout_probs_diff_mean": 0.01,
      "response_length/clip_ratio": 0.02,
    }));
    assert.deepEqual(found(fine), [undefined, undefined]);
  });

  it("weighs the parts of a reward by which of them fell, and blames old rollouts for a gap that grows", async () => {
    const parts = await doctor(
      folder({
        "log.jsonl": trlLog(120, (step) => ({
          reward: ramp(step, [1, 100], 0.4, 0.9) + 0.02 * noise(step),
          "rewards/format/mean": ramp(step, [1, 80], 0.2, 1),
          "rewards/accuracy/mean": ramp(step, [30, 90], 0.6, 0.05) + 0.02 * noise(step),
        })),
        "args.yaml": "num_generations: 8\nreward_funcs:\n- format\n- accuracy\nbeta: 0.01\n",
      }),
    );
    assert.deepEqual(parts.causes[0]!.change, [{ setting: "rewardWeights", value: [0.2, 1] }]);
    assert.match(String(parts), /reward_weights: \[0\.2,1\]/);
    const old = await doctor(
      folder({
        "log.jsonl": trlLog(0, () => ({})) + tinkerLog,
        "config.json": JSON.stringify({
          loss_fn: "importance_sampling",
          learning_rate: 1e-4,
          num_substeps: 1,
          async_config: { max_steps_off_policy: 3, groups_per_batch: 32 },
          dataset_builder: { batch_size: 32, group_size: 16 },
        }),
      }),
    );
    const stale = old.causes.findIndex(({ name }) => name === "stale-rollouts");
    assert.ok(stale >= 0 && stale < 2, String(stale));
    assert.match(String(old), /loss_fn=importance_sampling -> loss_fn=ppo/);
  });
});

const tinkerLog = Array.from({ length: 80 }, (_, step) =>
  JSON.stringify({
    step,
    "env/all/reward/total": ramp(step, [1, 30], 0.3, 0.9) * ramp(step, [50, 60], 1, 0) + 0.01 * noise(step),
    "optim/entropy": 0.5 + 0.01 * noise(step),
    "optim/kl_sample_train_v1": ramp(step, [25, 60], 0.001, 0.03),
  }),
).join("\n");
