import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { doctor, type DoctorReport } from "turnwise-practice";
import { removeTemporaryFolders, temporaryFolder } from "../../../support/command.js";

/** The noise of every run here: from -1 to 1. */
const noise = (step: number): number => Math.sin(12.9898 * step) * Math.cos(78.233 * step);

const RAY = "\u001B[36m(TaskRunner pid=4711)\u001B[0m ";

const verlLine = (step: number, score: number): string =>
  `${RAY}step:${step} - actor/entropy:0.3 - actor/pg_loss:0.01 - actor/pg_clipfrac:0.0 - actor/grad_norm:${(0.2 + 0.01 * noise(step)).toFixed(4)} - actor/lr:1e-06 - critic/score/mean:${score.toFixed(4)} - critic/score/max:1.0 - critic/rewards/min:0.0 - critic/returns/mean:0.0 - response_length/mean:${(500 + 5 * noise(step + 5)).toFixed(1)} - response_length/max:1024 - response_length/clip_ratio:0.0 - prompt_length/mean:120.0 - timing_s/step:9.5 - reward_extra_info/success:0.5\n`;

const healthy = (steps: number): string =>
  Array.from({ length: steps }, (_, i) => verlLine(i + 1, 0.3 + (0.2 * i) / steps + 0.02 * noise(i))).join(
    "",
  );

/** The configuration as verl prints it, with what another process prints in between. */
const printed = (n: number): string =>
  [
    "{'actor_rollout_ref': {'actor': {'clip_ratio': 0.2,",
    "                                 'entropy_coeff': 0,",
    "                                 'kl_loss_coef': 0.001,",
    "                                 'ppo_mini_batch_size': 64,",
    "                                 'use_kl_loss': False},",
    "                       'rollout': {'name': 'vllm', 'n': " + String(n) + ", 'temperature': 1.0}},",
    " 'algorithm': {'adv_estimator': 'grpo',",
    "               'kl_ctrl': {'kl_coef': 0.001, 'type': 'fixed'},",
    "               'use_kl_in_reward': False},",
    " 'data': {'max_response_length': 1024, 'train_batch_size': 64,",
    "          'train_files': ['/data/a long path that pprint cuts in '",
    '                          "two, with a \' and a }"]},',
    " 'trainer': {'logger': ('console',), 'resume_from_path': None}}",
  ]
    .map((line) => `${RAY}${line}\n`)
    .join("(WorkerDict pid=4712) {'loaded': True}\n");

const traceback = (error: string, at = "_save", indent = ""): string =>
  `${indent}Traceback (most recent call last):\n${indent}  File "/venv/lib/torch/serialization.py", line 1216, in ${at}\n${indent}    zip_file.write_record(name, storage)\n${indent}${error}\n`;

const full = "RuntimeError: PytorchStreamWriter failed writing file data/721: file write failed";
const hydra = "\nSet the environment variable HYDRA_FULL_ERROR=1 for a complete stack trace.\n";

describe("doctor() on consoles", () => {
  after(removeTemporaryFolders);

  function file(text: string, name = "run.log"): string {
    const made = path.join(temporaryFolder(), name);
    fs.writeFileSync(made, text);
    return made;
  }
  const read = (text: string): Promise<DoctorReport> => doctor(file(text));
  const flat = (report: DoctorReport): string => String(report).replace(/\s+/g, " ");

  it("reads the configuration that a run printed, and names the setting as it is now", async () => {
    const report = await read(printed(1) + healthy(60));
    const [config] = report.parts.configs;
    assert.ok(config!.lint.found.some(({ id }) => id === "group-of-one"));
    // All that it holds besides are defaults, which nobody chose.
    assert.ok(!config!.lint.found.some(({ id }) => id === "idle-coefficient"));
    assert.match(flat(report), /run\.log configuration that the run printed, of verl/);
    assert.match(flat(report), /change actor_rollout_ref\.rollout\.n=1 -> actor_rollout_ref\.rollout\.n=8/);
    assert.match(report.headline, /groups hold one rollout each, so there is nothing to compare/);
    assert.ok(!flat(report).includes("No configuration"));
    const sound = await read(printed(8) + healthy(60));
    assert.ok(!sound.parts.configs[0]!.lint.found.some(({ severity }) => severity === "error"));
  });

  it("prefers a launch script to what a run printed", async () => {
    const run = file(printed(1) + healthy(60));
    const script = path.join(path.dirname(run), "launch.sh");
    fs.writeFileSync(
      script,
      "python3 -m verl.trainer.main_ppo algorithm.adv_estimator=grpo actor_rollout_ref.rollout.n=16 data.train_batch_size=64\n",
    );
    const report = await doctor([run, script]);
    assert.ok(!flat(report).includes("configuration that the run printed"));
    assert.equal(report.parts.view.subject?.number("groupSize"), 16);
  });

  it("takes a dict that breaks off for no configuration", async () => {
    const broken = printed(1).split("\n").slice(0, 9).join("\n");
    const report = await read(`${broken}\n${healthy(60)}`);
    assert.equal(report.parts.configs.length, 0);
  });

  it("reports the error that the output ends in, where, and what to change", async () => {
    const wrapped = `ray.exceptions.RayTaskError(RuntimeError): ray::TaskRunner.run() (pid=4711, ip=10.0.0.1)\n`;
    const later = `\nDuring handling of the above exception, another exception occurred:\n\n${traceback("RuntimeError: unexpected pos 64 vs 32", "__exit__")}`;
    const report = await read(healthy(60) + traceback(wrapped, "get") + traceback(full) + later + hydra);
    assert.equal(report.code, 4);
    assert.match(
      report.headline,
      /^The run ended in an error after step 60: RuntimeError: PytorchStreamWriter failed/,
    );
    assert.match(
      flat(report),
      /error after step 60, line 69: RuntimeError: .*file write failed \(_save, serialization\.py:1216\); at last RuntimeError: unexpected pos 64 vs 32 do the disk is full.*trainer\.max_actor_ckpt_to_keep/,
    );
  });

  it("does not blame a run that was stopped from outside", async () => {
    const signal =
      "torch.distributed.elastic.multiprocessing.api.SignalException: Process 4711 got signal: 1";
    const report = await read(healthy(60) + traceback(signal, "_terminate_process_handler"));
    assert.equal(report.code, 0);
    assert.match(report.headline, /^No cause to name/);
    assert.match(
      flat(report),
      /stopped after step 60, line 64: .*got signal: 1 .* do a hangup: the terminal/,
    );
    const interrupted = await read(healthy(60) + traceback("KeyboardInterrupt", "run"));
    assert.equal(interrupted.code, 0);
  });

  it("reports no error that the run outlived", async () => {
    const caught = traceback("ValueError: no action in the answer");
    for (const [name, text] of [
      ["a step came after it", healthy(30) + caught + healthy(60).split("\n").slice(30).join("\n")],
      [
        "a worker of Ray printed it",
        healthy(60) + traceback("ValueError: no action", "act", "(RewardWorker pid=9) "),
      ],
      ["much came after it", healthy(60) + caught + "still generating\n".repeat(300)],
      [
        "Python printed it at its end",
        `${healthy(60)}Exception ignored in: <function _ConnectionBase.__del__>\n${traceback("OSError: [Errno 9] Bad file descriptor")}`,
      ],
      ["it is a sentence", `${healthy(60)}RuntimeError: is what the answer said\n`],
    ]) {
      const report = await read(text!);
      assert.equal(report.code, 0, name);
      assert.ok(!flat(report).includes("in an error"), name);
    }
  });

  it("says how a run ended that never came to a step", async () => {
    const crashed = printed(8) + `${RAY}kwargs: {'n': 8, 'logprobs': 0, 'max_tokens': 1024}\n`;
    await assert.rejects(
      read(crashed + traceback("NotImplementedError", "_default_compute_score") + hydra),
      /it has no step of training, and its output ends in an error, line \d+: NotImplementedError \(_default_compute_score, serialization\.py:1216\)/,
    );
    await assert.rejects(
      read(traceback("torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB")),
      /CUDA out of memory.*\(lower the micro batch/,
    );
    await assert.rejects(
      read("slurmstepd: error: *** JOB 17 ON node3 CANCELLED AT 2026-01-01T00:00:00 DUE TO TIME LIMIT ***\n"),
      /JOB 17 ON node3 CANCELLED/,
    );
  });

  it("takes verl with a success of its own for verl, and lists no name that verl always logs as unread", async () => {
    const report = await read(healthy(60));
    assert.match(report.files[0]!.title, /console output of verl/);
    assert.deepEqual(
      report.runs[0]!.log.unknown.map(({ name }) => name),
      ["reward_extra_info/success"],
    );
  });

  it("does not say that nothing moved where something did", async () => {
    const lines = Array.from({ length: 120 }, (_, i) => {
      const [kl, reward] = [i < 20 ? 0.006 : 0.14, i < 80 ? 0.85 : 0.25];
      return `{'loss': 0.01, 'grad_norm': ${0.2 + 0.01 * noise(i)}, 'reward': ${reward + 0.03 * noise(i)}, 'kl': ${kl + 0.001 * noise(i + 3)}, 'epoch': ${i / 100}}\n`;
    }).join("");
    const report = await read(lines);
    assert.equal(report.code, 3);
    assert.ok(
      report.runs[0]!.events.some(({ metric, from }) => metric === "policy/klReference" && from < 40),
    );
    assert.match(report.headline, /what moved before it speaks for no cause that is looked for/);
  });

  it("does not have the limit raised for answers that grew after entropy did", async () => {
    const run = (entropyFrom: number): string =>
      Array.from({ length: 200 }, (_, i) => {
        const by = (from: number, low: number, high: number): number =>
          low + (high - low) * Math.min(1, Math.max(0, (i - from) / 20));
        const score = 0.4 * by(140, 1, 0.02) + 0.02 * noise(i);
        return `${RAY}step:${i + 1} - actor/entropy:${by(entropyFrom, 0.3, 5.8) + 0.01 * noise(i + 1)} - actor/grad_norm:${0.2 + 0.01 * noise(i + 2)} - critic/score/mean:${score} - response_length/mean:${by(110, 500, 3900) + 5 * noise(i)} - response_length/clip_ratio:${by(110, 0.01, 0.95) + 0.001 * noise(i + 4)}\n`;
      }).join("");
    const cut = async (from: number) => {
      const report = await read(printed(8) + run(from));
      assert.match(flat(report), /calculate_log_probs=True/);
      return report.causes.find(({ title }) => title.includes("limit of their length"))!;
    };
    const result = await cut(80);
    assert.deepEqual(result.change, []);
    assert.match(result.advice!, /leave the limit as it is/);
    const cause = await cut(135);
    assert.ok(cause.change.some(({ setting }) => setting === "maxResponse"));
  });

  it("says that a log is of supervised training", async () => {
    const lines = Array.from({ length: 30 }, (_, i) =>
      JSON.stringify({
        loss: 2 - i / 30,
        grad_norm: 1,
        token_acc: 0.5 + i / 100,
        "global_step/max_steps": `${i + 1}/30`,
      }),
    ).join("\n");
    const report = await doctor(file(lines, "logging.jsonl"));
    assert.match(flat(report), /It has token_acc, as logs of supervised training do/);
    assert.equal(report.code, 4);
  });
});
