import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { compareRuns, doctor, type DoctorReport, type TwinJson } from "turnwise-practice";
import { removeTemporaryFolders, temporaryFolder } from "../../../support/command.js";
import { root } from "../../../support/paths.js";
import { launch, learning, ramp, verlLog } from "./runs.js";

/** A folder with these files. */
function folder(files: Readonly<Record<string, string>>): string {
  const made = temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(made, name)), { recursive: true });
    fs.writeFileSync(path.join(made, name), text);
  }
  return made;
}

const causes = (report: DoctorReport): string[] => report.causes.map(({ name }) => name);
const flat = (report: { toString(): string }): string => String(report).replace(/\s+/g, " ");

const explosion = verlLog(
  200,
  learning(
    (step) => ({
      "actor/entropy": ramp(step, [110, 150], 0.3, 6.3),
      "actor/grad_norm": ramp(step, [112, 150], 0.2, 3.9),
      "actor/kl_loss": ramp(step, [125, 160], 0.01, 5),
      "response_length/mean": ramp(step, [135, 160], 500, 4000),
      "response_length/clip_ratio": ramp(step, [135, 160], 0, 1),
      "tool_call_counts/mean": ramp(step, [145, 155], 2, 0),
    }),
    [140, 170],
  ),
);

describe("doctor()", () => {
  after(removeTemporaryFolders);

  it("finds a fall below .6 at any scale, and names no cause where nothing else moved", async () => {
    const report = await doctor(
      folder({
        "run.jsonl": verlLog(
          200,
          learning(() => ({}), [150, 165]),
        ),
      }),
    );
    assert.equal(report.code, 3);
    assert.match(report.headline, /^Success fell, and no signal that is logged moved before it/);
    assert.match(
      flat(report),
      /Success \(critic\/score\/mean\) went from 0\.1\d* to a best of 0\.4\d* and fell to 0/,
    );
    const { onset } = report.toJSON().runs[0]!;
    assert.ok(onset! >= 148 && onset! <= 165, String(onset));
  });

  it("orders what rose and fell, and names entropy first", async () => {
    const report = await doctor(folder({ "run.jsonl": explosion }));
    assert.equal(report.code, 3);
    assert.equal(causes(report)[0], "entropy-rises");
    const { events } = report.runs[0]!;
    const of = (metric: string) => events.find((event) => event.metric === metric)!;
    assert.deepEqual(
      ["policy/entropy", "policy/klReference", "tokens/fracTruncated", "tools/calls"].map(
        (name) => of(name).rose,
      ),
      [true, true, true, false],
    );
    // Each left its level when its ramp began, give or take the noise, and had gone half the way in its middle.
    for (const [metric, [start, end]] of Object.entries({
      "policy/entropy": [110, 150],
      "policy/klReference": [125, 160],
      "tokens/fracTruncated": [135, 160],
      "tools/calls": [145, 155],
    } as const)) {
      const { from, to } = of(metric);
      assert.ok(from >= start && from <= start + 3, `${metric} from ${from}`);
      assert.ok(Math.abs(to - (start + end) / 2) <= 1, `${metric} to ${to}`);
    }
    const lines = String(report).split("\n");
    assert.match(lines[0]!, /^Most likely: entropy exploded/);
    assert.ok(lines.every((line) => line.length <= 100));
    assert.match(String(report), /^ {2}first +entropy rose from 0\.3/m);
    assert.match(flat(report), /kl_loss_coef=0\.01/);
  });

  it("sees NaN while success holds, and does not call that fine", async () => {
    const nan = verlLog(
      150,
      learning((step) => (step < 100 ? {} : { "actor/grad_norm": "NaN", "actor/entropy": "NaN" })),
    );
    const report = await doctor(folder({ "run.jsonl": nan }));
    assert.equal(report.code, 4);
    assert.equal(report.causes[0]!.name, "nan");
    assert.match(flat(report), /^Most likely: a number of the trainer is NaN: From step 100 on .* NaN\./);
  });

  it("tells two runs apart and examines the one that fell", async () => {
    const two =
      verlLog(
        150,
        learning(() => ({})),
      ) +
      verlLog(
        140,
        learning(() => ({}), [110, 120]),
      );
    const report = await doctor(folder({ "run.jsonl": two }));
    assert.equal(report.code, 3);
    assert.match(flat(report), /run 2 of 2 of run\.jsonl: 140 steps, 1 to 140/);
    assert.match(flat(report), /run 1: steps 1 to 150\. Success did not fall in 150 steps/);
    assert.equal((await doctor(report.targets, { run: 1 })).code, 0);
    await assert.rejects(doctor(report.targets, { run: 3 }), /run must be a number from 1 to 2, got 3/);
  });

  it("puts a fall right after a resume down to it", async () => {
    const lines = (from: number, to: number, level: (step: number) => number): string =>
      Array.from({ length: to - from + 1 }, (_, i) => from + i)
        .map(
          (step) =>
            `(TaskRunner pid=1) step:${step} - critic/score/mean:${level(step)} - actor/entropy:0.5 - actor/pg_loss:0.01\n`,
        )
        .join("");
    const log = lines(1, 120, (step) => 0.1 + 0.005 * step) + lines(101, 140, () => 0.02);
    const report = await doctor(folder({ "console.log": log }));
    assert.equal(report.code, 3);
    assert.equal(report.causes[0]!.name, "after-a-resume");
    assert.match(flat(report), /resumed at step 101 after 120/);
  });

  it("is not misled by a start that was given up at once", async () => {
    const log =
      verlLog(
        150,
        learning(() => ({})),
      ) +
      verlLog(
        2,
        learning(() => ({})),
      );
    const report = await doctor(folder({ "run.jsonl": log }));
    assert.equal(report.code, 0);
    assert.match(flat(report), /run 1 of 2 of run\.jsonl: 150 steps/);
    assert.match(flat(report), /run 2: steps 1 to 2\. Cannot tell whether success has fallen/);
  });

  it("reads event files of one folder as one log", async () => {
    const parts = folder({});
    for (const name of ["openrlhf.tfevents"]) {
      fs.copyFileSync(
        path.join(root, "datasets/logs", name),
        path.join(parts, "events.out.tfevents.100.host"),
      );
      fs.copyFileSync(
        path.join(root, "datasets/logs", name),
        path.join(parts, "events.out.tfevents.200.host"),
      );
    }
    const report = await doctor(parts);
    // Both begin at the same step, so they are two runs.
    assert.equal(report.runs.length, 2);
    assert.match(flat(report), /2 event files of one folder are read as one log/);
  });

  it("passes over dicts that a reward function prints", async () => {
    const print = "{'reward': 1.0, 'format': 1.0}\n".repeat(5);
    const line = (i: number): string =>
      `{'loss': 0.001, 'grad_norm': 0.2, 'reward': ${0.5 + 0.002 * i}, 'reward_std': 0.3, 'entropy': 0.4, 'epoch': ${(0.01 * i).toFixed(2)}}\n`;
    const log = Array.from({ length: 40 }, (_, i) => print + line(i + 1)).join("");
    const report = await doctor(folder({ "train.out": log }));
    assert.equal(report.code, 0);
    assert.match(flat(report), /40 steps, 1 to 40/);
    assert.match(flat(report), /200 printed dicts/);
  });

  it("joins a configuration with a log: the setting as it is, and what to write", async () => {
    const run = folder({
      "logs/run.jsonl": explosion,
      "launch.sh": launch(
        "actor_rollout_ref.actor.use_kl_loss=True",
        "actor_rollout_ref.actor.kl_loss_coef=0.002",
      ),
      "model/tokenizer.json": "{}",
      "model/model.safetensors": "weights",
    });
    const report = await doctor(run);
    assert.match(flat(report), /kl_loss_coef=0\.002 -> actor_rollout_ref\.actor\.kl_loss_coef=0\.02/);
    assert.match(flat(report), /2 weights, pictures and the like were not opened/);
    assert.deepEqual(
      report.files.map(({ kind }) => kind),
      ["configuration", "log"],
    );
  });

  it("sees a KL that is charged twice and a clip that never acts, in a script alone, and calls nothing fine", async () => {
    const report = await doctor(
      folder({
        "launch.sh": launch(
          "data.train_batch_size=128",
          "actor_rollout_ref.actor.ppo_mini_batch_size=128",
          "actor_rollout_ref.actor.use_kl_loss=True",
          "algorithm.use_kl_in_reward=True",
        ),
      }),
    );
    assert.equal(report.code, 4);
    assert.match(report.headline, /^There is no log, so whether anything broke is not known\./);
    assert.deepEqual(causes(report).slice(0, 2), ["kl-charged-twice", "clip-never-acts"]);
  });

  it("refuses what is no trainer's, and says of each file why it was not read", async () => {
    await assert.rejects(doctor(folder({ "nonsense.json": '{"foo": 1, "bar": {"baz": 2}}' })), {
      name: "RangeError",
      message: /^Cannot examine a run: .* must hold a log, a configuration or rollouts: .*nonsense\.json: /,
    });
    await assert.rejects(doctor(folder({})), /there is no file$/);
    await assert.rejects(doctor("none/there"), /no such file or folder: none\/there/);
    await assert.rejects(doctor("package.json", { frmework: "trl" } as never), /Cannot examine a run/);
    const mixed = await doctor(
      folder({ "run.jsonl": explosion, "notes.txt": "hello\n", "empty.log": "", "x.wandb": "\u0000abc" }),
    );
    const foreign = mixed.files.filter(({ kind }) => kind === "foreign").map(({ why }) => why);
    assert.equal(foreign.length, 3);
    assert.ok(foreign.some((why) => why === "it is empty"));
    assert.ok(foreign.some((why) => why.includes("export its history as CSV")));
  });

  it("counts groups of rollouts, and those that mix prompts", async () => {
    const chat = (group: string, prompt: string, reward: number, answer = "4"): string =>
      `${JSON.stringify({
        group,
        reward,
        messages: [
          { role: "user", content: prompt },
          { role: "assistant", content: answer },
        ],
      })}\n`;
    const rollouts =
      chat("a", "2 + 2?", 1) +
      chat("a", "2 + 2?", 1) + // all solved
      chat("b", "3 + 3?", 0) +
      chat("b", "3 + 3?", 0, "") + // all failed, one without an answer
      chat("c", "1 + 1?", 0) +
      chat("c", "5 + 5?", 1); // mixed, and of two prompts
    const report = await doctor(folder({ "rollouts.jsonl": rollouts }));
    const [census] = report.toJSON().rollouts;
    assert.deepEqual(
      [
        census!.trajectories,
        census!.groups,
        census!.allSolved,
        census!.allFailed,
        census!.mixed,
        census!.mixedPrompts,
      ],
      [6, 3, 1, 1, 1, 1],
    );
    // One of two: 1, 0 and 1/2; both: 1, 0 and 1.
    assert.deepEqual(
      census!.passAtK.map(([k, share]) => [k, Number(share.toFixed(6))]),
      [
        [1, 0.5],
        [2, 0.666667],
      ],
    );
    assert.equal(census!.empty, 1 / 6);
    assert.ok(causes(report).includes("mixed-groups"));
    assert.equal(report.code, 4);
  });

  it("raises no cause on a run that learns", async () => {
    const report = await doctor(
      folder({
        "run.jsonl": verlLog(
          200,
          learning(() => ({})),
        ),
      }),
    );
    assert.equal(report.code, 0);
    assert.match(report.headline, /^No cause to name: success has not fallen in 200 steps\.$/);
    assert.deepEqual(report.runs[0]!.events, []);
    // What was not looked at is said, not passed over.
    assert.match(flat(report), /The log lacks the metrics of: .*engines apart/);
    assert.match(flat(report), /No configuration: /);
  });

  it("compares two runs: the settings that differ, and where the curves part", async () => {
    const good = folder({
      "run.jsonl": verlLog(
        160,
        learning(() => ({ "actor/entropy": 0.3 })),
      ),
      "launch.sh": launch("actor_rollout_ref.actor.entropy_coeff=0", "trainer.experiment_name=a"),
    });
    const bad = folder({
      "run.jsonl": verlLog(
        160,
        learning((step) => ({ "actor/entropy": ramp(step, [80, 120], 0.3, 4) }), [120, 140]),
      ),
      "launch.sh": launch("actor_rollout_ref.actor.entropy_coeff=0.01", "trainer.experiment_name=b"),
    });
    const both = await compareRuns(good, bad);
    assert.equal(both.code, 3);
    assert.deepEqual(both.settings, [{ name: "actor_rollout_ref.actor.entropy_coeff", a: "0", b: "0.01" }]);
    assert.deepEqual(
      both.partings.map(({ title }) => title),
      ["entropy", "reward"],
    );
    const [entropy, reward] = both.partings;
    assert.ok(entropy!.from >= 80 && entropy!.from <= 84, String(entropy!.from));
    assert.ok(reward!.from >= 118 && reward!.from <= 126, String(reward!.from));
    assert.match(flat(both), /^The runs part first in entropy, steps 81 to 10[01]: 0\.3 and 4 at the end\./);
    // One document, with the pages of both in it.
    assert.deepEqual(both.toHtml().match(/<!doctype|<h2/g), ["<!doctype", "<h2", "<h2"]);
    const same = await compareRuns(good, good);
    assert.deepEqual([same.settings, same.partings], [[], []]);
  });

  it("shows itself as a page, a card and data, without what a log has written into names", async () => {
    const log = explosion.replaceAll("actor/ppo_kl", "actor/<script>alert(1)</script>");
    const report = await doctor(folder({ "run.jsonl": log }));
    const html = report.toHtml();
    assert.match(html, /^<!doctype html>/);
    assert.ok(!html.includes("<script>"));
    assert.match(html, /<svg/);
    const shown = report[Symbol.for("Jupyter.display") as never] as unknown as () => Record<string, string>;
    assert.deepEqual(Object.keys(shown.call(report)), ["text/html", "text/plain"]);
    const data = JSON.parse(JSON.stringify(report)) as { code: number; causes: { name: string }[] };
    assert.equal(data.code, 3);
    assert.equal(data.causes[0]!.name, "entropy-rises");
  });

  it("trains a twin where it is asked to, and says why where it cannot", async () => {
    const twin = {
      seeds: 1,
      updates: 12,
      worlds: ["hidden"],
      workers: 0,
      changes: false,
      bar: false,
    } as const;
    const whole = folder({ "run.jsonl": explosion, "launch.sh": launch() });
    const report = await doctor(whole, { twin });
    assert.match(flat(report), /Twin: the same rule in small worlds The twin is not shown to collapse/);
    assert.match(report.toHtml(), /Twin: the same rule in small worlds/);
    assert.deepEqual((report.toJSON().twin as TwinJson).seeds, [0]);
    assert.equal((await doctor(whole)).twin, undefined);
    const alone = await doctor(folder({ "run.jsonl": explosion }), { twin });
    assert.match(flat(alone), /No twin was trained: it needs the configuration, and none was found/);
    await assert.rejects(doctor(whole, { twin: { seed: 1 } as never }), /Cannot train a twin.*seed/);
    await assert.rejects(
      doctor(whole, { twin: 3 as never }),
      /twin must be true, false or options, got 3\.$/,
    );
    await assert.rejects(
      compareRuns(whole, whole, { twin: true }),
      /Cannot compare two runs: a twin is of one run/,
    );
  });
});
