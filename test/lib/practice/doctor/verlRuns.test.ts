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

const noise = (step: number): number => Math.sin(12.9898 * step) * Math.cos(78.233 * step);
const cause = (report: DoctorReport, name: string) => report.causes.find((one) => one.name === name);
const said = (report: DoctorReport, name: string): string => cause(report, name)?.evidence.join("; ") ?? "";
const first = (report: DoctorReport): string | undefined => report.causes[0]?.name;

const rollout = "actor_rollout_ref.rollout";
const actor = "actor_rollout_ref.actor";

describe("doctor() on runs of verl and its family", () => {
  after(removeTemporaryFolders);

  it("tells a NaN of the first step, which sizes of batches make, from one that training made", async () => {
    const of = (from: number, ...flags: string[]) =>
      doctor(
        folder({
          "log.jsonl": verlLog(
            40,
            learning((step) => ({ "actor/grad_norm": step >= from ? "nan" : 0.2 })),
          ),
          "run.sh": launch(`${actor}.ppo_mini_batch_size=16`, "trainer.n_gpus_per_node=8", ...flags),
        }),
      );
    const small = await of(1, `${actor}.ppo_micro_batch_size_per_gpu=32`);
    assert.equal(first(small), "nan");
    assert.match(said(small, "nan"), /each of 8 ranks has 16 rollouts of a minibatch/);
    assert.match(cause(small, "nan")!.advice!, /ppo_micro_batch_size_per_gpu to a divisor of 16/);
    const other = await of(1, `${actor}.ppo_micro_batch_size_per_gpu=4`);
    assert.match(said(other, "nan"), /in the first step already/);
    assert.doesNotMatch(said(other, "nan"), /ranks/);
    const later = await of(30, `${actor}.ppo_micro_batch_size_per_gpu=4`);
    assert.doesNotMatch(said(later, "nan"), /first step already/);
    assert.match(cause(later, "nan")!.advice!, /^resume/);
  });

  it("suspects an adapter that an engine apart never got where their gap grows", async () => {
    const of = (gap: number, ...flags: string[]) =>
      doctor(
        folder({
          "log.jsonl": verlLog(
            120,
            learning((step) => ({
              "rollout_corr/kl": ramp(step, [1, 110], 0.0005, gap) + 0.00005 * noise(step),
            })),
          ),
          "run.sh": launch(`${rollout}.name=vllm`, "actor_rollout_ref.model.lora_rank=32", ...flags),
        }),
      );
    const apart = ["actor_rollout_ref.hybrid_engine=False", "async_training.staleness_threshold=0.5"];
    const lost = await of(0.4, ...apart);
    assert.ok(lost.causes.slice(0, 3).some(({ name }) => name === "weights-not-loaded"));
    assert.match(said(lost, "weights-not-loaded"), /lora\.merge is not on; k1 of engine and trainer rose/);
    assert.match(cause(lost, "weights-not-loaded")!.advice!, /lora\.merge=True/);
    assert.equal(
      cause(await of(0.4, ...apart, "actor_rollout_ref.model.lora.merge=True"), "weights-not-loaded"),
      undefined,
    );
    assert.equal(cause(await of(0.4), "weights-not-loaded"), undefined);
  });

  it("names weights that the engine lost among the causes of rewards that are 0 from the start", async () => {
    const still = verlLog(40, () => ({
      "critic/score/mean": 0,
      "actor/pg_loss": 0,
      "actor/kl_loss": 0,
      "actor/grad_norm": 0,
    }));
    const of = (...flags: string[]) => doctor(folder({ "log.jsonl": still, "run.sh": launch(...flags) }));
    const adapter = await of("actor_rollout_ref.model.lora_rank=64");
    assert.equal(first(adapter), "equal-groups");
    assert.equal(adapter.causes[1]?.name, "weights-not-loaded");
    assert.equal(adapter.code, 4);
    assert.equal(cause(await of(), "weights-not-loaded"), undefined);
  });

  it("takes the KL of an update for the distance of the engines where old log-probs are the engine's", async () => {
    const of = (...flags: string[]) =>
      doctor(
        folder({
          "log.jsonl": verlLog(
            80,
            learning((step) => ({ "actor/ppo_kl": ramp(step, [1, 70], 0.22, 1.3) + 0.01 * noise(step) })),
          ),
          "run.sh": launch(`${rollout}.name=vllm`, ...flags),
        }),
      );
    const bypassed = await of("algorithm.rollout_correction.bypass_mode=True");
    assert.match(said(bypassed, "gap-from-start"), /engine's log-probs \(bypass_mode\), is 0\.2/);
    assert.match(said(bypassed, "engines-apart"), /KL of an update rose/);
    assert.match(cause(bypassed, "engines-apart")!.advice!, /disable_cascade_attn=True/);
    const plain = await of();
    assert.equal(cause(plain, "gap-from-start"), undefined);
    assert.equal(cause(plain, "engines-apart"), undefined);
  });

  it("blames fused kernels over split sequences for a KL that is not 0 at first", async () => {
    const of = (...flags: string[]) =>
      doctor(
        folder({
          "log.jsonl": verlLog(
            40,
            learning(() => ({ "actor/kl_loss": 0.9 })),
          ),
          "run.sh": launch("data.image_key=images", `${actor}.ulysses_sequence_parallel_size=2`, ...flags),
        }),
      );
    const fused = await of("actor_rollout_ref.model.use_fused_kernels=True");
    assert.equal(first(fused), "other-reference");
    assert.match(said(fused, "other-reference"), /Fused kernels compute wrong log-probs/);
    assert.match(cause(fused, "other-reference")!.advice!, /use_fused_kernels=False/);
    assert.doesNotMatch(said(await of(), "other-reference"), /Fused/);
  });

  it("finds the error of a task of Ray's that was printed without the first line of a traceback", async () => {
    const steps = Array.from(
      { length: 3 },
      (_, i) =>
        `(TaskRunner pid=1) step:${i + 1} - critic/score/mean:0.5 - actor/entropy:0.3 - actor/grad_norm:0.1\n`,
    ).join("");
    const report = await doctor(
      folder({
        "out.log": `${steps}Error: \u001B[36mray::TaskRunner.run()\u001B[39m (pid=7, ip=10.0.0.1)\n  File "/a/main.py", line 3, in run\n    x.y\nomegaconf.errors.ConfigAttributeError: Missing key enable\n    full_key: reward_model.enable\n`,
      }),
    );
    assert.match(
      report.headline,
      /ended in an error after step 3: omegaconf\.errors\.ConfigAttributeError: Missing/,
    );
  });

  const record = (step: number, task: number, score: number, output: string): string =>
    `${JSON.stringify({ input: `task ${task}`, output, gts: "", score, step })}\n`;
  const answered = "<tool_call>{}</tool_call>\nuser\n<tool_response>\n3\n</tool_response>\nassistant\n3";

  it("does not take what a tool answered in verl's dumps for the agent's words, but what it invented", async () => {
    const of = (outputs: readonly string[]) =>
      doctor(
        folder({
          "5.jsonl": outputs.map((output, i) => record(5, Math.floor(i / 4), i % 2, output)).join(""),
        }),
      );
    const honest = await of(Array.from({ length: 16 }, () => answered));
    assert.equal(cause(honest, "invents-turns"), undefined);
    assert.equal(honest.parts.view.rollouts[0]!.census.turns, 2);
    const invented = await of(
      Array.from({ length: 16 }, (_, i) => (i % 2 ? answered.replace("</tool_call>", "</tool") : answered)),
    );
    assert.match(said(invented, "invents-turns"), /^50% of 16 stored rollouts .* they earn 1, the others 0/);
  });

  it("judges success by the rollouts of each step where there is no log, and shows those around the fall", async () => {
    const steps = Array.from({ length: 60 }, (_, i) => i + 1);
    const dump = (step: number, share: number): string =>
      Array.from({ length: 32 }, (_, i) =>
        record(step, Math.floor(i / 8), i % 8 < 8 * share + 0.5 * noise(step + i) ? 1 : 0, "3"),
      ).join("");
    const files = (share: (step: number) => number, to = 60) =>
      Object.fromEntries(
        steps
          .filter((step) => step <= to)
          .map((step) => [`rollout_data/${step}.jsonl`, dump(step, share(step))]),
      );
    const fallen = await doctor(folder(files((step) => ramp(step, [35, 45], 0.6, 0))));
    assert.equal(fallen.code, 3);
    assert.match(String(fallen), /no log: success is the mean reward of the rollouts stored in rollout_data/);
    const shown = fallen.parts.view.rollouts.slice(0, 3).map(({ census }) => census.step!);
    assert.ok(
      shown.every((step) => step > 30 && step < 48),
      shown.join(),
    );
    const rises = files((step) => ramp(step, [1, 50], 0.1, 0.5));
    assert.equal((await doctor(folder(rises))).code, 0);
    // Too few to judge.
    const few = await doctor(folder(files(() => 0.5, 12)));
    assert.deepEqual([few.code, few.runs.length], [4, 0]);
  });

  it("does not miss groups in rollouts of validation, where each task has one", async () => {
    const alone = Array.from({ length: 20 }, (_, i) => record(10, i, i % 2, "3")).join("");
    assert.equal(
      cause(await doctor(folder({ "validation_data/10.jsonl": alone })), "mixed-groups"),
      undefined,
    );
    assert.match(
      said(await doctor(folder({ "rollout_data/10.jsonl": alone })), "mixed-groups"),
      /20 of 20 stored groups hold one rollout/,
    );
  });
});
