import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { doctor, type DoctorReport } from "turnwise-practice";
import { removeTemporaryFolders, temporaryFolder } from "../../../support/command.js";
import { launch, learning, ramp, verlLog } from "./runs.js";

/** A folder with these files. */
function folder(files: Readonly<Record<string, string>>): string {
  const made = temporaryFolder();
  for (const [name, text] of Object.entries(files)) fs.writeFileSync(path.join(made, name), text);
  return made;
}

type Course = (step: number) => Readonly<Record<string, number>>;

/** JSONL of TRL. */
const trlLog = (steps: number, course: Course): string =>
  Array.from({ length: steps }, (_, i) => `${JSON.stringify({ step: i + 1, ...course(i + 1) })}\n`).join("");

/** Noise from -1 to 1. */
const noise = (step: number): number => Math.sin(12.9898 * step) * Math.cos(78.233 * step);

const names = (report: DoctorReport): string[] => report.causes.slice(0, 3).map(({ name }) => name);
const cause = (report: DoctorReport, name: string) => report.causes.find((one) => one.name === name);

/** What people found in public threads, in files made for the tests. */
describe("doctor() on causes that public threads found", () => {
  after(removeTemporaryFolders);

  it("tells a gradient that never arrives from groups that agree", async () => {
    const still: Course = (step) => ({
      reward: 0.4 + 0.05 * noise(step),
      reward_std: 0.3,
      grad_norm: 0,
      loss: 0,
    });
    const report = await doctor(folder({ "log.jsonl": trlLog(60, still) }));
    assert.equal(names(report)[0], "no-gradient");
    assert.ok(!names(report).includes("equal-groups"));
    assert.equal(report.code, 4, "a run that learns nothing is not healthy");
    const equal: Course = (step) => ({
      reward: 0.4 + 0.05 * noise(step),
      reward_std: 0,
      grad_norm: 0,
      loss: 0,
    });
    const agreed = await doctor(folder({ "log.jsonl": trlLog(60, equal) }));
    assert.equal(names(agreed)[0], "equal-groups");
    assert.ok(!names(agreed).includes("no-gradient"));
    assert.equal(agreed.code, 4);
    // One that stopped learning after its first step is not fine either.
    const stopped: Course = (step) => (step === 1 ? still(1) : { ...equal(step), reward: 0 });
    const first = { reward: 0.4, reward_std: 0.3, grad_norm: 2, loss: 0 };
    const after = trlLog(40, (step) => (step === 1 ? first : stopped(step)));
    assert.equal((await doctor(folder({ "log.jsonl": after }))).code, 4);
    // verl logs no spread: a mean that moves speaks for the gradient, and for equal groups a little.
    const verl = await doctor(
      folder({
        "log.jsonl": verlLog(60, (step) => ({ ...learning(() => ({}))(step), "actor/grad_norm": 0 })),
      }),
    );
    assert.deepEqual(names(verl).slice(0, 2), ["no-gradient", "equal-groups"]);
  });

  it("sees that a KL below 0 counts tokens of others", async () => {
    const course = learning((step) => ({ "critic/kl": ramp(step, [80, 110], 0.001, -40) }), [110, 125]);
    const report = await doctor(folder({ "log.jsonl": verlLog(160, course) }));
    assert.equal(names(report)[0], "negative-kl");
    assert.match(cause(report, "negative-kl")!.evidence.join(" "), /cannot be below 0/);
    // Noise around 0 is none.
    const fine = learning((step) => ({ "critic/kl": 0.01 * noise(step) }), [110, 125]);
    assert.equal(cause(await doctor(folder({ "log.jsonl": verlLog(160, fine) })), "negative-kl"), undefined);
  });

  it("sees a reference that training did not start from, as the first cause only of a fall", async () => {
    const apart = (fall?: readonly [number, number]) =>
      verlLog(
        160,
        learning((step) => ({ "actor/kl_loss": 1.2 + 0.01 * noise(step) }), fall),
      );
    const fell = await doctor(folder({ "log.jsonl": apart([100, 115]) }));
    assert.equal(names(fell)[0], "other-reference");
    const held = await doctor(folder({ "log.jsonl": apart() }));
    assert.equal(held.code, 0);
    assert.match(held.headline, /^No cause to name/);
    assert.ok(names(held).includes("other-reference"));
    // A run that begins at step 200 was resumed: its policy has left the reference.
    const later = verlLog(
      160,
      learning((step) => ({ "actor/kl_loss": 1.2 + 0.01 * noise(step) }), [300, 315]),
      200,
    );
    assert.equal(cause(await doctor(folder({ "log.jsonl": later })), "other-reference"), undefined);
  });

  it("names a small entropy bonus where entropy rises, and takes it out", async () => {
    const log = verlLog(
      200,
      learning((step) => ({ "actor/entropy": ramp(step, [110, 150], 0.3, 6) }), [140, 170]),
    );
    const report = await doctor(
      folder({ "log.jsonl": log, "launch.sh": launch("actor_rollout_ref.actor.entropy_coeff=0.001") }),
    );
    const first = report.causes[0]!;
    assert.equal(first.name, "entropy-rises");
    assert.match(first.evidence.join(" "), /pays for entropy: .*entropy_coeff=0\.001/);
    assert.deepEqual(first.change, [{ setting: "entropyCoef", value: 0 }]);
  });

  it("puts a step size that few runs survive before what it does", async () => {
    const log = verlLog(
      200,
      learning(
        (step) => ({
          "actor/entropy": ramp(step, [110, 150], 0.3, 2),
          "actor/kl_loss": ramp(step, [105, 150], 0.01, 3),
        }),
        [140, 170],
      ),
    );
    const report = await doctor(
      folder({
        "log.jsonl": log,
        "launch.sh": launch(
          "actor_rollout_ref.actor.optim.lr=5e-5",
          "actor_rollout_ref.actor.use_kl_loss=True",
        ),
      }),
    );
    assert.equal(names(report)[0], "steps-too-large");
    assert.deepEqual(report.causes[0]!.change, [{ setting: "learningRate", value: 1e-6 }]);
  });

  it("says what left its level before a NaN, and that k3 has no bound", async () => {
    const log = verlLog(120, (step) => ({
      ...learning((at) => ({ "actor/kl_loss": ramp(at, [75, 83], 0.02, 4) }))(step),
      ...(step > 84 ? { "actor/grad_norm": "nan", "actor/kl_loss": "nan" } : {}),
    }));
    const report = await doctor(
      folder({ "log.jsonl": log, "launch.sh": launch("actor_rollout_ref.actor.use_kl_loss=True") }),
    );
    const first = report.causes[0]!;
    assert.equal(first.name, "nan");
    assert.match(
      first.evidence.join("; "),
      /KL to the reference rose .*; .*low_var_kl \(default\) charges e/,
    );
    assert.deepEqual(first.change[0], { setting: "klLossEstimator", value: "mse" });
  });

  it("sees a limit that taught short answers, although success has not fallen", async () => {
    const log = verlLog(
      160,
      learning((step) => ({
        "response_length/mean": ramp(step, [20, 120], 620, 300) + 5 * noise(step),
        "response_length/clip_ratio": ramp(step, [20, 120], 0.38, 0.05) + 0.005 * noise(step),
      })),
    );
    const report = await doctor(folder({ "log.jsonl": log }));
    assert.match(cause(report, "answers-are-cut")!.evidence[0]!, /^3\d% of answers were cut at first/);
  });

  it("suspects tokens of tools where a run of several turns falls and no file shows a mask", async () => {
    const course = learning(
      (step) => ({ "num_turns/mean": 6, "actor/grad_norm": ramp(step, [100, 120], 0.2, 3) }),
      [125, 140],
    );
    const report = await doctor(folder({ "log.jsonl": verlLog(180, course) }));
    assert.match(
      cause(report, "tool-tokens")!.evidence[0]!,
      /several turns, and no file shows whether tokens of the environment are masked/,
    );
    const masked = await doctor(
      folder({
        "log.jsonl": verlLog(180, course),
        "launch.sh": launch("actor_rollout_ref.actor.state_masking=True"),
      }),
    );
    assert.equal(cause(masked, "tool-tokens"), undefined);
  });

  it("sees an agent that writes the environment's turns, and is paid for it", async () => {
    const own =
      "<tool_call>{}</tool_c\n<|im_start|>user\n<tool_response>A</tool_response> <answer>A</answer>";
    const rollouts = Array.from({ length: 40 }, (_, i) => ({
      task_id: Math.floor(i / 4),
      messages: [
        { role: "user", content: `question ${Math.floor(i / 4)}` },
        { role: "assistant", content: i % 4 === 0 ? own : "<answer>B</answer>" },
      ],
      // Those that invent a turn always earn 1, of the others a third does.
      reward: i % 4 === 0 || i % 4 === 1 ? 1 : 0,
    }));
    const report = await doctor(
      folder({ "rollouts.jsonl": rollouts.map((one) => JSON.stringify(one)).join("\n") }),
    );
    assert.equal(names(report)[0], "invents-turns");
    assert.match(report.causes[0]!.evidence[0]!, /^25% of 40 .*they earn 1, the others 0\.333/);
  });

  it("suggests nothing that the configuration has already", async () => {
    const course: Course = (step) => ({
      reward: ramp(step, [60, 75], 0.5, 0.1) + 0.02 * noise(step),
      reward_std: 0.3,
      grad_norm: 0.2,
      "sampling/sampling_logp_difference/mean": ramp(step, [40, 60], 0.01, 0.1),
    });
    const of = async (yaml: string) => {
      const report = await doctor(folder({ "log.jsonl": trlLog(120, course), "config.yaml": yaml }));
      return cause(report, "engines-apart")!.change;
    };
    const base = "num_generations: 8\nuse_vllm: true\n";
    assert.deepEqual(await of(`${base}vllm_importance_sampling_correction: false\n`), [
      { setting: "correction", value: true },
    ]);
    assert.deepEqual(await of(base), [], "it is on by default");
  });

  it("lays a launch script over the configuration that it names, and hydra's overrides over what is next to them", async () => {
    const yaml = "num_generations: 8\nlearning_rate: 1.0e-6\nbeta: 0.04\n";
    const launched = await doctor(
      folder({
        "config.yaml": yaml,
        "run.sh":
          "accelerate launch train.py --config config.yaml \\\n  --learning_rate 5e-5 --num_iterations 12\n",
      }),
    );
    const found = launched.parts.configs[0]!.lint.found.map(({ id }) => id);
    assert.ok(found.includes("high-learning-rate") && found.includes("many-steps"), found.join());
    assert.ok(found.includes("fixed-reference"), "beta is the file's");
    assert.equal(launched.parts.configs.length, 1);
    assert.match(String(launched), /What run\.sh gives counts, and config\.yaml says the rest/);
    // A script that names no file is not laid over one.
    const apart = await doctor(
      folder({ "config.yaml": yaml, "run.sh": "python train.py --learning_rate 5e-5 --num_iterations 12\n" }),
    );
    assert.equal(apart.parts.configs.length, 2);
    const hydra = await doctor(
      folder({
        "config.yaml":
          "algorithm:\n  adv_estimator: grpo\nactor_rollout_ref:\n  rollout:\n    n: 8\n    temperature: 1.0\n",
        "overrides.yaml": "- actor_rollout_ref.rollout.temperature=1.5\n- actor_rollout_ref.rollout.n=4\n",
      }),
    );
    assert.ok(hydra.parts.configs[0]!.lint.found.some(({ id }) => id === "high-temperature"));
  });

  it("says of each alarm how it fared on public logs, and calls none an alarm that is up as often in runs that hold", async () => {
    const course: Course = (step) => ({
      reward: 0.5 + 0.02 * noise(step),
      reward_std: step > 80 ? 0.01 : 0.4,
      entropy: step > 80 ? 0.01 : 0.5,
      grad_norm: 0.2,
      kl: ramp(step, [60, 90], 0.01, 3),
    });
    const text = String(await doctor(folder({ "log.jsonl": trlLog(120, course) }))).replace(/\s+/g, " ");
    assert.match(
      text,
      /ignore entropy cliff, .*?: about as common in runs that hold, so it proves nothing; .*?; it went off in \d+ of \d+ public logs of healthy runs/,
    );
    assert.match(
      text,
      /alarm far from the reference, .*?it went off in 3 of \d+ public logs of healthy runs/,
    );
  });
});
