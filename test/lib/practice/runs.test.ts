import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { createRng } from "turnwise";
import { LogReader, readLog, watchLog, type WatchLogOptions } from "turnwise-practice";

interface Line {
  readonly step?: number;
  readonly [name: string]: unknown;
}

const json = (lines: readonly Line[]): string => lines.map((line) => `${JSON.stringify(line)}\n`).join("");

/** Steps `from` to `to` of a run of TRL, with a reward at each. */
const steps = (from: number, to: number, reward: (step: number) => number, more = {}): Line[] =>
  Array.from({ length: to - from + 1 }, (_, i) => ({
    step: from + i,
    loss: 0.1,
    reward: reward(from + i),
    grad_norm: 0.2,
    ...more,
  }));

/** Learning from .1 to .5, with a little noise. */
const rising = (step: number): number => Math.min(0.5, 0.1 + step / 200) + 0.01 * Math.sin(7 * step);

describe("the runs of a log", () => {
  it("are told apart where steps go back to the first: the last is read, and any other by its number", () => {
    const text = json([...steps(1, 100, rising), ...steps(1, 60, (step) => (step < 40 ? rising(step) : 0))]);
    const log = readLog(text);
    assert.deepEqual(
      log.runs.map(({ first, last }) => [first, last]),
      [
        [1, 100],
        [1, 60],
      ],
    );
    assert.deepEqual([log.run, log.records.length, log.watch().fall !== null], [2, 60, true]);
    const first = readLog(text, { run: 1 });
    assert.deepEqual([first.run, first.records.length, first.watch().fall], [1, 100, null]);
    assert.match(String(first), /^A log of TRL: 100 steps, 1 to 100, run 1 of 2\n/);
    assert.match(String(first), /2 runs: 1-100, 1-60\./);
    assert.throws(() => readLog(text, { run: "3" }), {
      name: "RangeError",
      message:
        'Cannot read a log: run must be a number from 1 to 2, since it holds 2 runs: 1-100, 1-60, got "3".',
    });
    assert.throws(() => readLog(json(steps(1, 30, rising)), { run: "mine" }), /number from 1 to 1/);
  });

  it("are one where it was resumed: later values replace those that they repeat, and the overlap is told", () => {
    const log = readLog(json([...steps(1, 120, rising), ...steps(101, 130, () => 0)]));
    assert.deepEqual(
      log.runs.map(({ first, last, resumed }) => [first, last, resumed]),
      [[1, 130, [{ at: 101, after: 120 }]]],
    );
    assert.deepEqual(
      log.records.map(({ update }) => update),
      Array.from({ length: 130 }, (_, i) => i + 1),
    );
    assert.equal(log.records[104]!.metrics["reward/mean"], 0);
    assert.equal(log.watch().dip!.onset, 101);
    assert.match(String(log), /1 run: 1-130 \(resumed at 101 after 120, of which the later values count\)/);
  });

  it("are one where another writer comes later, or where each step stands once in any order", () => {
    const trainer = steps(1, 30, rising);
    const later = trainer.map(({ step }) => ({ step: step!, entropy: 0.5 }));
    const two = readLog(json([...trainer, ...later]));
    assert.equal(two.runs.length, 1);
    assert.equal(two.records[3]!.metrics["policy/entropy"], 0.5);
    const shuffled = readLog(json(createRng(1).shuffle(trainer)));
    assert.equal(shuffled.runs.length, 1);
    assert.deepEqual(shuffled.records, readLog(json(trainer)).records);
  });

  it("are told apart by the epoch where lines name no step, and only the trainer's lines are steps", () => {
    const line = (step: number, reward: number): string =>
      `{'loss': 0.1, 'grad_norm': 0.2, 'reward': ${reward}, 'epoch': ${step / 100}}\n`;
    const print = "{'reward': 1.0, 'format': 1.0}\n";
    const from = (first: number, last: number, reward: number): string =>
      Array.from({ length: last - first + 1 }, (_, i) => print.repeat(3) + line(first + i, reward)).join("");
    const log = readLog(from(1, 40, 0.5) + from(31, 50, 0));
    assert.deepEqual([log.runs.length, log.records.length], [1, 50]);
    assert.equal(log.records[30]!.metrics["reward/mean"], 0);
    assert.deepEqual(log.notes, [
      "Its lines name no step, so they are counted from 1",
      "180 printed dicts without a step or an epoch are not the trainer's and were not read",
    ]);
    assert.equal(readLog(from(1, 40, 0.5) + from(1, 30, 0.5)).runs.length, 2);
  });

  it("are read where another trainer's lines come first, as of a fine-tuning before the run", () => {
    const sft = "{'loss': 2.1, 'learning_rate': 1e-05, 'epoch': 0.1}\n".repeat(5);
    const rl = Array.from(
      { length: 12 },
      (_, i) =>
        `step:${i + 1} - critic/score/mean:0.5 - actor/entropy:0.5 - actor/grad_norm:0.1 - actor/pg_loss:0.1\n`,
    );
    const log = readLog(sft + rl.join(""));
    assert.deepEqual([log.framework, log.records.length, log.runs.length], ["verl", 12, 1]);
  });

  it("have the steps that lines state, also as '17/124' and current_steps", () => {
    const swift = [10, 20, 30].map(
      (step) => `{"reward": 0.5, "loss": 0.1, "global_step/max_steps": "${step}/124"}\n`,
    );
    const llama = [10, 20, 30].map((step) => `{"current_steps": ${step}, "reward": 0.5, "loss": 0.1}\n`);
    const printed = [10, 20, 30].map(
      (step) => `{'loss': 0.1, 'reward': 0.5, 'epoch': 0.1, 'global_step/max_steps': '${step}/124'}\n`,
    );
    for (const lines of [swift, llama, printed]) {
      assert.deepEqual(
        readLog(lines.join("")).records.map(({ update }) => update),
        [10, 20, 30],
      );
    }
    const old = readLog('{"step": 1, "reward": 0.5, "completion_length": 90, "response_clip_ratio": 0.25}\n');
    assert.deepEqual(old.records[0]!.metrics, {
      "reward/mean": 0.5,
      "tokens/mean": 90,
      "tokens/fracTruncated": 0.25,
    });
  });
});

describe("what a log holds besides records", () => {
  const text = json(steps(1, 30, rising));

  it("UTF-16 with a byte order mark is read as UTF-8 is, whole and in pieces", () => {
    const wanted = readLog(text).records;
    const little = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, "utf16le")]);
    const big = Buffer.from(little).swap16();
    for (const bytes of [little, big]) {
      assert.deepEqual(readLog(bytes).records, wanted);
      const reader = new LogReader();
      const records = [];
      for (let at = 0; at < bytes.length; at += 7) records.push(...reader.push(bytes.subarray(at, at + 7)));
      assert.deepEqual([...records, ...reader.end()], wanted);
    }
  });

  it("bytes of 0 at the start, which a rotated log begins with, are passed over and told", () => {
    const log = readLog(Buffer.concat([Buffer.alloc(5000), Buffer.from(text)]));
    assert.equal(log.records.length, 30);
    assert.deepEqual(log.notes, ["5000 bytes of 0 at its start were not read"]);
  });

  it("a last line that is cut off is left out and told, and one in the middle is refused by its number", () => {
    const log = readLog(text.slice(0, -20));
    assert.equal(log.records.length, 29);
    assert.deepEqual(log.notes, ["Its last line is cut off and was not read"]);
    assert.throws(() => readLog(`${text.slice(0, 40)}\n${text}`), /line 1 is/);
    assert.throws(() => readLog('{"step": 1, "rew'), /its only one is cut off/);
  });

  for (const [what, bytes, says] of [
    ["bytes of 0 alone", Buffer.alloc(4096), /all of its 4096 bytes are 0/],
    ["blanks", Buffer.from(" \n\n"), /it must have a line, but all of its 3 bytes are blanks/],
    ["an empty list", Buffer.from("[]"), /none of its 2 bytes, read as JSON, has any/],
    [
      "a .wandb file of an unknown version",
      Buffer.from([0x3a, 0x57, 0x26, 0x42, 0, 1, 2, 3, 0, 0, 0, 0]),
      /the file of an offline run of wandb, but this is binary/,
    ],
    ["UTF-16 without its mark", Buffer.from(text, "utf16le"), /binary, or UTF-16 without a byte order mark/],
    ["text without metrics", Buffer.from("loading\nloaded\n"), /a line must hold metrics/],
  ] as const) {
    it(`refuses ${what}`, () => {
      assert.throws(() => readLog(bytes), { name: "RangeError", message: says });
    });
  }

  it("a folder is refused, with the logs in it", () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "turnwise-test-"));
    try {
      fs.writeFileSync(path.join(folder, "run.jsonl"), text);
      assert.throws(() => readLog(folder), /is a folder\.\nDid you mean "run\.jsonl" in it\?$/);
    } finally {
      fs.rmSync(folder, { recursive: true });
    }
  });

  it("NaN is told by its name in the log and the step from which on it lasts", () => {
    const lines = Array.from({ length: 30 }, (_, i) => {
      const broken = i >= 20 ? "NaN" : "0.2";
      return `{"step": ${i + 1}, "data": {"critic/score/mean": 0.5, "actor/entropy": ${i === 4 ? "Infinity" : "0.3"}, "actor/grad_norm": ${broken}}}`;
    });
    const log = readLog(lines.join("\n"));
    assert.deepEqual(log.watch().notFinite, [
      // Of the steps from 5 on, 26 log it.
      {
        name: "actor/entropy",
        value: Infinity,
        from: 5,
        first: 5,
        count: 1,
        of: 26,
        lasts: false,
        recurs: false,
      },
      {
        name: "actor/grad_norm",
        value: NaN,
        from: 21,
        first: 21,
        count: 10,
        of: 10,
        lasts: true,
        recurs: false,
      },
    ]);
    assert.match(String(log), /From step 21 on actor\/grad_norm is NaN\./);
    assert.match(String(log), /actor\/entropy was infinite at 1 step, last from step 5 on, and recovered\./);
    const printed = "step:1 - actor/grad_norm:nan - critic/score/mean:0.5 - actor/entropy:0.3\n";
    assert.deepEqual(readLog(printed).records[0]!.notFinite, { "actor/grad_norm": NaN });
    const table = readLog("step,actor/entropy,actor/grad_norm,note\n1,0.5,nan,warm\n");
    assert.deepEqual(table.records[0]!.notFinite, { "actor/grad_norm": NaN }, "text is not NaN");
  });

  it("NaN is over only where the same metric is finite again, not where steps do not log it", () => {
    const of = (gradient: (step: number) => string | undefined): ReturnType<typeof readLog> =>
      readLog(
        Array.from({ length: 40 }, (_, i) => {
          const value = gradient(i + 1);
          return `{"step": ${i + 1}, "reward": 0.5, "loss": 0.1${value === undefined ? "" : `, "grad_norm": ${value}`}}\n`;
        }).join(""),
      );
    const unlogged = of((step) => (step < 20 ? "0.2" : step < 25 ? "NaN" : undefined));
    assert.match(String(unlogged), /From step 20 on grad_norm is NaN\./);
    const sparse = of((step) => (step % 2 === 0 ? undefined : "NaN"));
    assert.deepEqual(
      sparse.watch().notFinite.map(({ from, count, of: all, lasts }) => [from, count, all, lasts]),
      [[1, 20, 20, true]],
    );
    // 16 of the steps 10, 12, ..., 40, of 31 steps from 10 on.
    const every = of((step) => (step >= 10 && step % 2 === 0 ? "NaN" : "0.2"));
    assert.match(String(every), /grad_norm is NaN again and again: at 16 of 31 steps from step 10 on\./);
    const over = of((step) => (step === 10 ? "NaN" : step % 3 === 0 ? undefined : "0.2"));
    assert.match(String(over), /grad_norm was NaN at 1 step, last from step 10 on, and recovered\./);
  });

  for (const [framework, names] of [
    [
      "verl",
      ["training/off_policy/trajectory_staleness/mean", "training/off_policy/trajectory_staleness/max"],
    ],
    ["skyrl", ["async/staleness_mean", "async/staleness_max"]],
    ["primeRl", ["off_policy/mean", "off_policy/max"]],
  ] as const) {
    it(`the mean staleness of ${framework} is its mean, and the largest its largest`, () => {
      const text = JSON.stringify({ step: 1, [names[0]]: 1.5, [names[1]]: 4 });
      assert.deepEqual(readLog(text, { framework }).records[0]!.metrics, {
        "staleness/mean": 1.5,
        "staleness/max": 4,
      });
    });
  }
});

describe("the alarms of a log", () => {
  const alarmsOf = (lines: readonly Line[]): string[] => [
    ...new Set(
      readLog(json(lines))
        .watch()
        .alarms.map(({ rule }) => rule),
    ),
  ];

  it("tell the commonest death, and in which order it came", () => {
    // From step 81 on all of it grows by the same amount a step; tools are dropped at 100, and the reward falls after 90.
    const dying = (step: number): Line => {
      const t = Math.max(0, step - 80);
      return {
        step,
        "critic/score/mean": Math.max(0, Math.min(0.4, 0.1 + step / 200) - 0.02 * Math.max(0, step - 90)),
        "actor/entropy": 0.3 + 0.1 * t,
        "actor/grad_norm": 0.2 + 0.1 * t,
        "actor/kl_loss": 0.01 + 0.1 * t,
        "response_length/mean": 500 + 50 * t,
        "response_length/clip_ratio": Math.min(1, 0.02 * t),
        "tool_call_counts/mean": step < 100 ? 2 : 0,
        "training/rollout_probs_diff_mean": 0.003,
      };
    };
    const lines = Array.from({ length: 150 }, (_, i) => dying(i + 1));
    const { movements, dip, alarms } = readLog(json(lines)).watch();
    for (const name of [
      "entropy explosion",
      "far from the reference",
      "responses cut off",
      "tools no longer called",
    ]) {
      assert.ok(
        alarms.some(({ rule, update }) => rule === name && update > 80 && update < 120),
        name,
      );
    }
    assert.deepEqual(
      movements.map(({ title, step }) => [title, step]),
      [
        ["entropy", 81],
        ["gradient norm", 81],
        ["KL to the reference", 81],
        ["length of responses", 81],
        ["share of cut-off responses", 81],
        ["tool calls", 100],
      ],
    );
    assert.ok(dip!.onset > 90, String(dip!.onset));
  });

  it("are silent about rewards that are no shares: unearned silence needs 0 to 1, or an optimum", () => {
    const of = (reward: number): Line[] => steps(1, 40, () => reward, { frac_reward_zero_std: 0.9 });
    assert.deepEqual(alarmsOf(of(0.1)), ["unearned silence"]);
    assert.deepEqual(alarmsOf(of(-4)), [], "-4 of -5 to 5");
    assert.deepEqual(alarmsOf(of(4)), [], "4 of 40");
    const sums = readLog(json(of(4)));
    assert.equal(sums.watch().isShare, false);
    assert.match(String(sums), /unearned silence cannot be told: pass optimum/);
    assert.deepEqual(
      sums.watch({ optimum: 40 }).alarms.map(({ rule }) => rule),
      ["unearned silence"],
      "a tenth of the optimum",
    );
  });

  it("do not take every other gradient for a spike where most steps have nothing to learn", () => {
    const rng = createRng(1);
    const lines = Array.from({ length: 300 }, (_, i) => ({
      step: i + 1,
      reward: 0.5,
      loss: 0,
      grad_norm: rng.next() < 0.6 ? 0 : 1 + 5 * rng.next(),
    }));
    assert.deepEqual(alarmsOf(lines), []);
    assert.deepEqual(alarmsOf([...lines, { step: 301, reward: 0.5, loss: 0, grad_norm: 1e4 }]), [
      "gradient spike",
    ]);
  });

  it("see engines drift apart by whatever a trainer logs of them, and are not called blind then", () => {
    const far = steps(1, 40, () => 0.5, { "sampling/sampling_logp_difference/mean": 3.8 });
    assert.deepEqual(alarmsOf(far), ["engines apart, by log-probs"]);
    const near = readLog(json(steps(1, 40, () => 0.5, { "sampling/sampling_logp_difference/mean": 0.06 })));
    assert.deepEqual(near.watch().alarms, []);
    assert.doesNotMatch(String(near), /Not monitored \(metrics missing\): [^.]*engines apart/);
  });

  it("are silent in healthy runs of several kinds", () => {
    for (let seed = 0; seed < 4; seed++) {
      const rng = createRng(seed);
      const lines = Array.from({ length: 150 }, (_, i) => ({
        step: i + 1,
        data: {
          "critic/score/mean": Math.min(0.6, 0.1 + i / 200) + 0.05 * (rng.next() - 0.5),
          // Entropy falls and comes back to half, responses grow, the reference is left slowly.
          "actor/entropy": 0.2 + 0.3 * Math.abs(1 - i / 75) + 0.02 * rng.next(),
          "actor/grad_norm": 0.2 + 0.2 * rng.next(),
          "actor/kl_loss": i / 1000,
          "actor/pg_clipfrac": 0.01 * rng.next(),
          "actor/ppo_kl": 0.001 * (rng.next() - 0.5),
          "response_length/mean": 300 + 8 * i,
          "response_length/clip_ratio": 0.1 * rng.next(),
          "tool_call_counts/mean": 2 - i / 150,
          "training/rollout_probs_diff_mean": 0.01 * rng.next(),
        },
      }));
      assert.deepEqual(alarmsOf(lines as unknown as Line[]), []);
      assert.equal(readLog(json(lines as unknown as Line[])).watch().fall, null);
    }
  });
});

describe("watching a log", () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "turnwise-test-"));
  after(() => fs.rmSync(folder, { recursive: true, force: true }));
  let files = 0;
  const watch = async (
    text: string,
    options: Partial<WatchLogOptions> = { once: true },
  ): Promise<{ code: number; told: string }> => {
    const file = path.join(folder, `${files++}.jsonl`);
    fs.writeFileSync(file, text);
    let told = "";
    const code = await watchLog(file, { idleSeconds: 0.01, write: (piece) => (told += piece), ...options });
    return { code, told };
  };

  it("judges each run of a log, and ends with the worst; --run chooses one", async () => {
    const text = json([...steps(1, 100, rising), ...steps(1, 60, (step) => (step < 40 ? rising(step) : 0))]);
    const both = await watch(text);
    assert.equal(both.code, 3);
    assert.match(both.told, /\n2 runs: 1-100, 1-60; --run 2 shows one alone\nrun 1 of 2: steps 1 to 100\n/);
    assert.match(both.told, /\n100 steps, 0 alarms; success has not fallen in 100 steps of reward\n/);
    assert.match(
      both.told,
      /\nrun 2 of 2: steps 1 to 60\n[^]*\nsuccess has fallen: .* it was low from step 40 on/,
    );
    assert.equal((await watch(text, { once: true, run: "1" })).code, 0);
    assert.equal((await watch(text, { once: true, run: 2 })).code, 3);
    await assert.rejects(watch(text, { once: true, run: 3 }), /run must be a number from 1 to 2/);
  });

  it("follows a run that is resumed or begun again: later values count, and a fall before them does not", async () => {
    const resumed = await watch(json([...steps(1, 60, rising), ...steps(51, 90, rising)]), {});
    assert.equal(resumed.code, 0, resumed.told);
    assert.match(resumed.told, /\nresumed at step 51 after 60: the later values count\nstep 51 /);
    assert.match(resumed.told, /\n90 steps, 0 alarms; success has not fallen in 90 steps of reward\n/);
    const again = await watch(json([...steps(1, 60, rising), ...steps(1, 50, () => 0.5)]), {});
    assert.match(again.told, /\nrun 2 begins: the steps go back to 1\n/);
    assert.match(again.told, /\n50 steps, 0 alarms; success has not fallen in 50 steps of reward\n/);
    const second = await watch(json([...steps(1, 60, rising), ...steps(1, 50, () => 0.5)]), { run: "2" });
    assert.equal(second.told.match(/^step 30 /gm)?.length, 1);
  });

  it("says that success fell and recovered by which step, where the run ends above its best again", async () => {
    // Up to .5 by step 80, at .05 from 101 to 140, and from 141 on .7.
    const course = (step: number): number =>
      step <= 100 ? rising(step) : step <= 140 ? 0.05 + 0.01 * Math.sin(step) : 0.7 + 0.01 * Math.sin(step);
    const text = json(steps(1, 200, course));
    for (const options of [{ once: true }, {}]) {
      const { code, told } = await watch(text, options);
      assert.equal(code, 3, told);
      // The mean of ten is near .05 + .065 k after k steps at .7, and within a quarter of the way to .5 for k = 6: .44 > .39.
      assert.match(
        told,
        /\nsuccess fell and recovered by step 146: a mean .* went from 0\.50\d at step 90 to 0\.3\d+ at step 103; it was low from step 101 on, and 0\.0\d+ at its lowest, and 0\.(?:699|70\d) at the end\. /,
      );
      assert.doesNotMatch(told, /has not fallen/);
    }
    const verdict = readLog(text).watch();
    assert.deepEqual([verdict.fall, verdict.dip!.onset, verdict.dip!.recovered], [103, 101, 146]);
    assert.match(
      String(readLog(text)),
      /Success had fallen at step 103, .* from a mean of 0\.50\d to 0\.0\d+, and recovered by step 146\./,
    );
  });

  it("comes to the same verdict and code, whether a log is read at once or followed", async () => {
    const rng = createRng(9);
    // Chance makes a drop as deep in 1.7% of orders: a fall for the one look at the end, and none for the many before it.
    const unlikely = steps(1, 60, (step) => (rng.next() < (step <= 40 ? 0.7 : 0.4) ? 1 : 0));
    const fell = steps(1, 60, (step) => (step < 40 ? rising(step) : 0));
    const held = steps(1, 60, rising);
    const short = steps(1, 12, rising);
    for (const [what, lines, code] of [
      ["a drop that chance seldom makes", unlikely, 3],
      ["a fall in an earlier run", [...fell, ...held], 3],
      ["a fall in the last run", [...held, ...fell], 3],
      ["an earlier run of which nothing can be told", [...short, ...held], 4],
      ["a fall before a resume, of which nothing counts", [...fell, ...steps(30, 90, rising)], 0],
      ["runs that held", [...held, ...held], 0],
    ] as const) {
      assert.equal((await watch(json(lines))).code, code, what);
      assert.equal((await watch(json(lines), {})).code, code, `${what}, followed`);
    }
    const two = json([...held, ...fell]);
    for (const [run, code] of [
      ["1", 0],
      ["2", 3],
    ] as const) {
      assert.equal((await watch(two, { run, once: true })).code, code);
      assert.equal((await watch(two, { run })).code, code);
    }
    for (const run of ["5", "0", "mine"]) {
      for (const options of [{ run, once: true }, { run }]) {
        await assert.rejects(watch(two, options), /run must be a number from 1 to [12], /, run);
      }
    }
  });

  it("reads no byte of a log twice while it follows it", async () => {
    const file = path.join(folder, "grows.jsonl");
    const lines = json(steps(1, 400, rising)).match(/.*\n/g)!;
    fs.writeFileSync(file, lines.slice(0, 20).join(""));
    const read = fs.readSync;
    let bytes = 0;
    fs.readSync = ((...given: Parameters<typeof read>) => {
      const got = read(...given);
      bytes += got;
      return got;
    }) as typeof read;
    try {
      let at = 20;
      // Each step that is told makes the log grow by the next ones, until there are none.
      const write = (text: string): void => {
        if (!text.startsWith("step ") || at >= lines.length) return;
        fs.appendFileSync(file, lines.slice(at, (at += 40)).join(""));
      };
      assert.equal(await watchLog(file, { idleSeconds: 0.3, write }), 0);
    } finally {
      fs.readSync = read;
    }
    const { size } = fs.statSync(file);
    // The first piece is looked at once more, to tell a log from one JSON value.
    assert.ok(bytes >= size && bytes <= size + lines.slice(0, 20).join("").length, `${bytes} of ${size}`);
  });

  it("ends with 4 and says why where it cannot be told, or where NaN lasts, and never says fine then", async () => {
    const sft = json(
      Array.from({ length: 40 }, (_, i) => ({ step: i + 1, loss: 1 / (i + 1), grad_norm: 0.5 })),
    );
    const broken = json(steps(1, 40, rising)).replaceAll('"grad_norm":0.2', '"grad_norm":NaN');
    for (const [text, says] of [
      [sft, /Cannot tell whether success has fallen: no step logs a reward or success\./],
      [json(steps(1, 12, rising)), /only 12 steps log a reward/],
      [json(steps(1, 40, () => 0)), /it was 0 at all 40 steps/],
      [broken, /ALARM not a number: From step 1 on grad_norm is NaN/],
    ] as const) {
      const { code, told } = await watch(text);
      assert.equal(code, 4, told);
      assert.match(told, says);
      if (text !== broken) assert.doesNotMatch(told, /has not fallen/);
    }
    for (const nothing of ["", "\n", "loading\nloaded\n"]) {
      await assert.rejects(watch(nothing), { name: "RangeError" });
      await assert.rejects(watch(nothing, {}), { name: "RangeError" });
    }
  });

  it("reports no unearned silence where a later reward shows that rewards are no shares; takes it back where it was told", async () => {
    const silent = { frac_reward_zero_std: 0.9 };
    const text = json([...steps(1, 30, () => 0.1, silent), ...steps(31, 40, () => 4, silent)]);
    const whole = await watch(text);
    assert.doesNotMatch(whole.told, /ALARM/);
    assert.match(whole.told, /\n40 steps, 0 alarms;/);
    assert.match(whole.told, /unearned silence cannot be told: pass optimum/);
    assert.doesNotMatch(whole.told, /counts for nothing/);
    const followed = await watch(text, {});
    assert.match(followed.told, /\n {2}ALARM unearned silence/);
    assert.match(followed.told, /\n40 steps, 0 alarms;/);
    assert.match(
      followed.told,
      /\nthe alarm unearned silence at step \d+ counts for nothing: later rewards are no shares\n/,
    );
    const shares = await watch(json(steps(1, 40, () => 0.1, silent)));
    assert.match(shares.told, /ALARM unearned silence[^]*\n40 steps, 1 alarm;/);
  });

  it("puts the fall of success among what left its level, in the order of the steps", async () => {
    // The reward falls at step 61; entropy was .3 and grows by .1 a step from step 71 on, the gradient from step 41 on.
    const lines = steps(1, 100, (step) => (step <= 60 ? rising(step) : 0)).map((line) => ({
      ...line,
      entropy: 0.3 + 0.1 * Math.max(0, line.step! - 70),
      grad_norm: 0.2 + 0.1 * Math.max(0, line.step! - 40),
    }));
    const { told } = await watch(json(lines));
    assert.match(
      told,
      /in this order:\n {2}gradient norm rose from step 41 on, .*\n {2}success fell from step 61 on\n {2}entropy rose from step 71 on/,
    );
  });

  it("tells an alarm once and counts it, however often it goes off", async () => {
    const lines = steps(1, 200, () => 0.5).map((line, i) => ({ ...line, kl: i >= 20 && i % 8 < 4 ? 9 : 0 }));
    const { told } = await watch(json(lines));
    assert.equal(told.match(/ALARM far from the reference/g)?.length, 1);
    // Four of eight steps from index 24 on are beyond: (200 - 24) / 8 = 22 times, with the warm-up over and patience 3.
    assert.match(told, /\n {2}far from the reference: 2[23] times, first at step \d+, last at step \d+\n/);
  });

  it("lets no escape code of a log reach the terminal", async () => {
    const evil = "\u001B[2J\u001B]0;title\u0007evil\u009B31m";
    const { told } = await watch(json(steps(1, 30, rising, { [evil]: 1 })));
    assert.match(told, /names that are not read: evil/);
    // eslint-disable-next-line no-control-regex -- they are what is looked for
    assert.doesNotMatch(told, /[\u0000-\u0009\u000B-\u001F\u007F-\u009F]/);
    await assert.rejects(watch(json([{ step: 1, [evil]: 2 }])), (error: Error) => {
      assert.ok(!error.message.includes("\u001B"), JSON.stringify(error.message));
      return true;
    });
  });
});
