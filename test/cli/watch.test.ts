import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { removeTemporaryFolders, temporaryFolder, turnwise, turnwiseEach } from "../support/command.js";
import { patient } from "../support/patient.js";
import { root } from "../support/paths.js";
import { until } from "../support/process.js";

const sample = (name: string): string => join(root, "datasets", "logs", name);

describe("turnwise watch", function () {
  this.timeout(patient(60_000));
  after(removeTemporaryFolders);

  it("reports each step and alarm of a log, with what the alarm has been worth, and ends with 3 at a collapse", async () => {
    for (const name of ["verl.jsonl", "openrlhf.tfevents"]) {
      const { code, stdout, stderr } = await turnwise(["watch", "--once", sample(name)]);
      assert.equal(code, 3, stderr);
      assert.match(stdout, /^a log of (verl|OpenRLHF): \d+ of its \d+ names/);
      assert.match(
        stdout,
        /\nstep 13 {2}success 1 .*\n {2}ALARM entropy cliff \(.*\n {8}it went off before 98% of 150 stored falls/,
      );
      assert.match(
        stdout,
        /\nstep 84 .*\nsuccess has fallen: a mean of 10 steps of \S+ went from 1 at step 74 to \S+ at step 84; it was low from step 76 on/,
      );
      assert.doesNotMatch(stdout, /\nstep 85 /, "no step is told after the fall");
    }
  });

  it("reads a trainer_state.json at once, and does not follow it, as it is written again", async () => {
    const state = sample("public/trl-chaos-economy.json");
    const { code, stdout } = await turnwise(["watch", "--once", state]);
    // Nearly all of its answers are cut.
    assert.equal(code, 4, stdout);
    assert.match(
      stdout,
      /^a log of TRL: [^]*\n50 steps, 0 alarms; success has not fallen in 50 steps of reward\nSuccess was low at step 170/,
    );
    const followed = await turnwise(["watch", state]);
    assert.equal(followed.code, 1);
    assert.match(
      followed.stderr,
      /^Cannot follow a log: it must grow line by line, but ".*trl-chaos-economy\.json" is one JSON value, which is rewritten each time\. Read it with --once\.\n$/,
    );
  });

  it("ends with 0 where success has not fallen, and says what it could not watch or read", async () => {
    const cwd = temporaryFolder();
    const lines = readFileSync(sample("trl.jsonl"), "utf8").split("\n").slice(0, 40);
    const strange = lines.map((line) => line.replace('"entropy"', '"entropi"'));
    writeFileSync(join(cwd, "run.jsonl"), `${strange.join("\n")}\n`);
    const { code, stdout } = await turnwise(["watch", "--once", "run.jsonl"], { cwd });
    assert.equal(code, 0, stdout);
    assert.match(stdout, /\n40 steps, \d+ alarms; success has not fallen in 40 steps of reward\n/);
    assert.match(stdout, /\nnot monitored \(metrics missing\): .*entropy cliff/);
    assert.match(stdout, /\nnames that are not read: entropi \(near entropy\)\n/);
  });

  it("ends with 4 where the gradient is 0 throughout: what learns nothing cannot fall", async () => {
    const cwd = temporaryFolder();
    const row = (step: number, norm: number): string =>
      JSON.stringify({
        step,
        reward: 0.2 + step / 100 + 0.05 * (step % 3),
        reward_std: 0.3,
        grad_norm: norm,
        kl: 0,
      });
    const log = (norm: number): string => Array.from({ length: 60 }, (_, step) => row(step, norm)).join("\n");
    writeFileSync(join(cwd, "still.jsonl"), log(0));
    writeFileSync(join(cwd, "moving.jsonl"), log(0.5));
    const [still, moving] = await turnwiseEach(
      ["still.jsonl", "moving.jsonl"].map((file) => ["watch", "--once", join(cwd, file)]),
    );
    assert.equal(still!.code, 4, still!.stdout);
    assert.match(
      still!.stdout,
      /\nthe gradient's norm is 0 to the end: nothing was learned, so nothing could fall\n/,
    );
    assert.equal(moving!.code, 0, moving!.stdout);
  });

  it("ends with the status that doctor ends with, of runs that fell, held, learned nothing, lost all at once or broke", async () => {
    const cwd = temporaryFolder();
    const log = (reward: (step: number) => number, more: Record<string, number> = {}): string =>
      Array.from(
        { length: 120 },
        (_, i) =>
          `${JSON.stringify({ step: i + 1, reward: reward(i + 1) + 0.01 * Math.sin(1.7 * i), reward_std: 0.3, grad_norm: 0.5, kl: 0.01, ...more })}\n`,
      ).join("");
    const files = {
      "fell.jsonl": { text: log((step) => (step < 80 ? 0.6 : 0.02)), code: 3 },
      "held.jsonl": { text: log((step) => 0.2 + step / 200), code: 0 },
      "flat.jsonl": { text: log(() => 0.2), code: 4 },
      "early.jsonl": { text: log((step) => (step < 3 ? 0.9 : 0)), code: 4 },
      "still.jsonl": { text: log((step) => 0.2 + step / 200, { grad_norm: 0 }), code: 4 },
      "broke.log": {
        text: `${log((step) => 0.2 + step / 200)}Traceback (most recent call last):\n  File "train.py", line 3, in <module>\nRuntimeError: CUDA error: an illegal memory access was encountered\n`,
        code: 4,
      },
    };
    for (const [name, { text }] of Object.entries(files)) writeFileSync(join(cwd, name), text);
    const names = Object.keys(files);
    const ends = await turnwiseEach(
      names.flatMap((name) => [
        ["watch", "--once", join(cwd, name)],
        ["doctor", join(cwd, name)],
      ]),
    );
    assert.deepEqual(
      ends.map(({ code }, i) => `${names[i >> 1]!} ${code}`),
      Object.entries(files).flatMap(([name, { code }]) => [`${name} ${code}`, `${name} ${code}`]),
    );
  });

  it("ends with 3 at a collapse whose lines nobody reads to the end", async () => {
    const child = spawn(process.execPath, [
      join(root, "lib", "turnwise", "bin", "turnwise.cjs"),
      "watch",
      "--once",
      sample("verl.jsonl"),
    ]);
    child.stdout.once("data", () => child.stdout.destroy());
    const [code] = (await once(child, "exit")) as [number | null];
    assert.equal(code, 3);
  });

  it("follows a log that grows, by steps that are whole, until success falls", async () => {
    const log = join(temporaryFolder(), "run.jsonl");
    const text = readFileSync(sample("slime.jsonl"), "utf8");
    const cut = text.indexOf('{"rollout/step":41,') + 30;
    writeFileSync(log, text.slice(0, cut));
    const child = spawn(process.execPath, [
      join(root, "lib", "turnwise", "bin", "turnwise.cjs"),
      "watch",
      log,
    ]);
    let told = "";
    child.stdout.setEncoding("utf8").on("data", (piece: string) => (told += piece));
    const exit = once(child, "exit");
    // Rollouts may be sampled one ahead: step 38 is over once a line of step 40 is whole.
    await until("step 38", () => told.includes("step 38 "));
    assert.ok(!told.includes("step 41 "), told);
    appendFileSync(log, text.slice(cut));
    const [code] = (await exit) as [number | null];
    assert.equal(code, 3, told);
    assert.match(told, /step 41 .*success/);
  });

  it("ends with 1 and a sentence for a log that is not there, or whose names mean nothing", async () => {
    const cwd = temporaryFolder();
    const missing = await turnwise(["watch", "none.jsonl"], { cwd });
    assert.equal(missing.code, 1);
    assert.match(missing.stderr, /Cannot watch the log: no such file: none\.jsonl/);
    writeFileSync(join(cwd, "own.jsonl"), '{"step": 1, "H": 2}\n');
    const strange = await turnwise(["watch", "--once", "own.jsonl"], { cwd });
    assert.equal(strange.code, 1);
    assert.match(
      strange.stderr,
      /its names must be those of .*, or be mapped by the option map, got step, H/,
    );
    const mapped = await turnwise(["watch", "--once", "own.jsonl", "--map", "H=policy/entropy"], { cwd });
    assert.equal(mapped.code, 4, mapped.stderr);
    assert.match(
      mapped.stdout,
      /\nCannot tell whether success has fallen: no step logs a reward or success\.\n/,
    );
    assert.match(mapped.stdout, /\nstep 1 {2}entropy 2\n/);
  });
});
