import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { doctor, type DoctorReport } from "turnwise-practice";
import { removeTemporaryFolders, temporaryFolder } from "../../../support/command.js";
import { launch, learning, ramp, verlLog } from "./runs.js";

function folder(files: Readonly<Record<string, string>>): string {
  const made = temporaryFolder();
  for (const [name, text] of Object.entries(files)) fs.writeFileSync(path.join(made, name), text);
  return made;
}

type Course = (step: number) => Readonly<Record<string, number>>;

const trlLog = (steps: number, course: Course): string =>
  Array.from({ length: steps }, (_, i) => `${JSON.stringify({ step: i + 1, ...course(i + 1) })}\n`).join("");
const noise = (step: number): number => Math.sin(12.9898 * step) * Math.cos(78.233 * step);
const cause = (report: DoctorReport, name: string) => report.causes.find((one) => one.name === name);
const said = (report: DoctorReport, name: string): string => cause(report, name)?.evidence.join("; ") ?? "";
const first = (report: DoctorReport): string | undefined => report.causes[0]?.name;

describe("doctor() on causes that later threads found", () => {
  after(removeTemporaryFolders);

  it("tells engines that never agreed from engines that drift apart", async () => {
    const log = (gap: (step: number) => number, fall?: readonly [number, number]) =>
      doctor(
        folder({
          "log.jsonl": trlLog(140, (step) => ({
            reward: Math.max(
              0,
              ramp(step, [1, 60], 0.1, 0.5) * (fall ? ramp(step, fall, 1, 0) : 1) + 0.02 * noise(step),
            ),
            reward_std: 0.3,
            "sampling/sampling_logp_difference/mean": gap(step),
          })),
        }),
      );
    const apart = await log((step) => 0.6 + 0.02 * noise(step), [90, 120]);
    assert.equal(first(apart), "gap-from-start");
    assert.match(
      said(apart, "gap-from-start"),
      /0\.6\d* in the first 5 steps, where engines .* have \.01 to \.05/,
    );
    assert.equal(
      cause(await log((step) => 0.02 + 0.002 * noise(step), [90, 120]), "gap-from-start"),
      undefined,
    );
    // One that opens at the third step did not begin so.
    const jump = await log((step) => (step < 40 ? 0.012 : 0.4) + 0.001 * noise(step), [60, 90]);
    assert.equal(cause(jump, "gap-from-start"), undefined);
    assert.match(said(jump, "weights-not-loaded"), /step 40: a drift takes longer/);
  });

  it("sees that success cannot fall by itself where the learning rate is 0", async () => {
    const log = trlLog(100, (step) => ({
      reward: ramp(step, [10, 80], 0.95, 0.4) + 0.02 * noise(step),
      reward_std: 0.2,
      grad_norm: 0.3,
    }));
    const of = (rate: string) =>
      doctor(
        folder({
          "log.jsonl": log,
          "args.yaml": `num_generations: 8\nlearning_rate: ${rate}\nuse_vllm: true\n`,
        }),
      );
    assert.equal(first(await of("0")), "weights-not-loaded");
    assert.equal(cause(await of("1.0e-6"), "weights-not-loaded"), undefined);
  });

  it("sees that answers are too short to have been cut", async () => {
    const of = (length: number) =>
      doctor(
        folder({
          "log.jsonl": trlLog(60, (step) => ({
            reward: 0.4 + 0.02 * noise(step),
            reward_std: 0.3,
            grad_norm: 0.1,
            "completions/mean_length": length + 5 * noise(step),
            "completions/clipped_ratio": 0.97,
          })),
          "args.yaml": "num_generations: 8\nmax_completion_length: 2048\nmask_truncated_completions: true\n",
        }),
      );
    const short = await of(310);
    assert.equal(first(short), "ends-unseen");
    // 97% of 2048.
    assert.match(
      said(short, "ends-unseen"),
      /97% of answers count as cut at 2048 .* at least 1\.?987|at least 1987|1986/,
    );
    const long = await of(2000);
    assert.equal(cause(long, "ends-unseen"), undefined);
    assert.equal(first(long), "answers-are-cut");
  });

  it("sees a part of the reward that falls while the sum rises", async () => {
    const of = (part: (step: number) => number) =>
      doctor(
        folder({
          "log.jsonl": trlLog(120, (step) => ({
            reward: ramp(step, [1, 100], 0.4, 0.9) + 0.02 * noise(step),
            "rewards/format/mean": ramp(step, [1, 80], 0.2, 1),
            "rewards/accuracy/mean": part(step),
            "rewards/accuracy/std": 0.3,
          })),
        }),
      );
    const hacked = await of((step) => ramp(step, [30, 90], 0.6, 0.05) + 0.02 * noise(step));
    assert.equal(first(hacked), "parts-apart");
    assert.match(said(hacked, "parts-apart"), /^the part accuracy fell from 0\.\d+ to 0\.0/);
    assert.equal(first(await of((step) => ramp(step, [30, 90], 0.3, 0.7) + 0.02 * noise(step))), undefined);
  });

  it("names returns that stop at tokens of tools, or charge their KL", async () => {
    const tools = [
      "actor_rollout_ref.rollout.multi_turn.enable=True",
      "actor_rollout_ref.rollout.name=sglang",
    ];
    const script = (estimator: string, ...more: string[]) =>
      doctor(folder({ "launch.sh": launch(`algorithm.adv_estimator=${estimator}`, ...more) }));
    const stops = await script("reinforce_plus_plus", ...tools);
    assert.match(said(stops, "credit-lost"), /does not reach the turns before a tool's answer/);
    assert.equal(cause(await script("reinforce_plus_plus"), "credit-lost"), undefined);
    assert.equal(cause(await script("grpo", ...tools), "credit-lost"), undefined);
    const charged = await doctor(
      folder({
        "run.sh":
          "python3 train.py --advantage-estimator reinforce_plus_plus --kl-coef 0.01 --rollout-batch-size 32 --n-samples-per-prompt 8 --rm-type math --num-rollout 9 --custom-generate-function-path search.generate\n",
      }),
    );
    assert.match(said(charged, "credit-lost"), /advantage_estimator=reinforce_plus_plus with kl_coef=0\.01/);
    assert.deepEqual(
      charged.parts.configs[0]!.lint.found.find(({ id }) => id === "kl-of-tool-tokens")!.instead,
      ["--kl-coef 0", "--use-kl-loss", "--kl-loss-coef 0.01"],
    );
  });

  it("says that a gradient became NaN where the loss had not", async () => {
    const log = verlLog(80, (step) => ({
      ...learning(() => ({}))(step),
      "actor/pg_loss": 0.01 * noise(step),
      "actor/grad_norm": step < 60 ? 0.3 : NaN,
    }));
    // JSON has no NaN.
    const report = await doctor(
      folder({ "log.jsonl": log.replaceAll('"actor/grad_norm":null', '"actor/grad_norm":"NaN"') }),
    );
    assert.match(said(report, "nan"), /the loss is finite in the step in which the gradient is not/);
  });

  it("reads TRL's former PPO, whose KL may be below 0", async () => {
    const rows = Array.from({ length: 90 }, (_, i) =>
      [i, -ramp(i, [2, 40], 0, 15) + 0.3 * noise(i), 0.4 + 0.02 * noise(i), 0.01].join(","),
    );
    const report = await doctor(
      folder({
        "history.csv": `Step,objective/kl,env/reward_mean,ppo/policy/approxkl\n${rows.join("\n")}\n`,
      }),
    );
    assert.equal(first(report), "negative-kl");
    assert.match(report.files[0]!.title, /TRL's PPO/);
  });
});
