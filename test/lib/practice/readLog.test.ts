import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { createRng } from "turnwise";
import {
  frameworks,
  LogReader,
  readLog,
  watchLog,
  alarmTrackRecord,
  type NamingName,
} from "turnwise-practice";
import type { displaySymbol } from "turnwise/plot";
import { root } from "../../support/paths.js";

const folder = path.join(root, "datasets", "logs");
const file = (name: string): string => path.join(folder, name);
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const others = (Object.keys(frameworks) as NamingName[]).filter((name) => name !== "turnwise");

describe("readLog()", () => {
  for (const framework of others) {
    it(`recognizes the names of ${framework}, and finds the fall of its sample log`, () => {
      const log = readLog(file(`${framework}.jsonl`));
      assert.equal(log.framework, framework, log.why);
      assert.match(log.why, new RegExp(`names are those of ${frameworks[framework].title} \\(`));
      assert.deepEqual(log.unknown, []);
      assert.deepEqual(
        log.records.map(({ update }) => update),
        Array.from({ length: 110 }, (_, i) => i + 1),
        "lines of one step are one record",
      );
      const { fall, alarms } = log.watch();
      assert.equal(fall, 84);
      // mlx-lm-lora logs no entropy, but the spread within groups.
      const early = framework === "mlxLmLora" ? "std cliff" : "entropy cliff";
      assert.ok(alarms.some(({ rule, update }) => rule === early && update < 84));
    });
  }

  it("reads what a SummaryWriter wrote as it reads the same values as JSON", () => {
    const events = readLog(file("openrlhf.tfevents"));
    assert.equal(events.container, "TensorBoard events");
    assert.equal(events.framework, "openrlhf");
    assert.deepEqual(events.records, readLog(file("openrlhf.jsonl")).records);
  });

  it("names the byte of an event file that is damaged", () => {
    const damaged = Uint8Array.from(fs.readFileSync(file("openrlhf.tfevents")));
    damaged[2000]! ^= 1;
    assert.throws(() => readLog(damaged), {
      name: "RangeError",
      message: /^Cannot read an event file: the record at byte \d+ does not match its checksum\.$/,
    });
  });

  it("takes the names after train/ of dashboards, and those of a trainer_state.json", () => {
    const lines = [
      { step: 1, loss: 0.1, reward: 0.5, frac_reward_zero_std: 0.25, "tools/failure_frequency": 0.5 },
      { step: 2, loss: 0.2, reward: 0.75, "sampling/sampling_logp_difference/max": 3 },
    ];
    const wanted = [
      {
        update: 1,
        metrics: { "reward/mean": 0.5, "reward/fracZeroStd": 0.25, "policy/loss": 0.1, "tools/failed": 0.5 },
      },
      { update: 2, metrics: { "reward/mean": 0.75, "policy/loss": 0.2, "mismatch/logProbGapMax": 3 } },
    ];
    const sorted = (records: unknown): unknown => JSON.parse(JSON.stringify(records));
    const state = JSON.stringify({ epoch: 1, log_history: lines }, null, 2);
    assert.equal(readLog(state).container, "JSON");
    assert.deepEqual(sorted(readLog(state).records), wanted);
    const prefixed = lines.map(({ step, ...metrics }) =>
      JSON.stringify({
        "train/global_step": step,
        ...Object.fromEntries(Object.entries(metrics).map(([name, value]) => [`train/${name}`, value])),
      }),
    );
    const dashboard = readLog(prefixed.join("\n"));
    assert.equal(dashboard.framework, "trl");
    assert.deepEqual(sorted(dashboard.records), wanted);
  });

  it("reads one run of a chart that wandb exported, without the ends of its bands", () => {
    const header = [
      "Step",
      ...["a", "b"].flatMap((run) => ["", "__MIN", "__MAX"].map((end) => `${run} - actor/entropy${end}`)),
    ];
    const text = [
      header.map((cell) => `"${cell}"`).join(","),
      "1,1,0.5,1.5,2,1.5,2.5",
      "2,0.9,0,1,,,",
      "",
    ].join("\n");
    assert.throws(() => readLog(text), {
      name: "RangeError",
      message: `Cannot read a log: run must be one of "a", "b", got undefined.`,
    });
    assert.deepEqual(readLog(text, { run: "b" }).records, [{ update: 1, metrics: { "policy/entropy": 2 } }]);
    const { framework, unknown, records } = readLog(text, { run: "a" });
    assert.deepEqual([framework, unknown], ["verl", []]);
    assert.deepEqual(
      records.map(({ update, metrics }) => [update, metrics["policy/entropy"]]),
      [
        [1, 1],
        [2, 0.9],
      ],
    );
  });

  it("has of RAGEN-2's filter the share of groups without any difference in reward", () => {
    // 6 of 8 groups are kept, so there are 8; 2 of them have a score of 0.
    const filter = {
      "rollout/filter_kept_count": 6,
      "rollout/filter_kept_ratio": 0.75,
      "rollout/filter_zero_count": 2,
    };
    const text = JSON.stringify({ step: 1, data: { "rollout/in_group_reward_std": 0.3, ...filter } });
    const { records, unknown } = readLog(text, { framework: "ragen2" });
    assert.deepEqual(
      { ...records[0]!.metrics },
      { "reward/std": 0.3, "reward/fracZeroStd": 0.25, "filter/fracKept": 0.75 },
    );
    assert.deepEqual(unknown, []);
  });

  it("lists every name that it does not read, with the nearest that it would", () => {
    const line = {
      step: 1,
      data: {
        "actor/entropy": 1,
        "critic/score/mean": 0.5,
        "actor/grad_norn": 2,
        "timing_s/step": 9,
        mine: 3,
      },
    };
    assert.deepEqual(readLog(JSON.stringify(line)).unknown, [
      { name: "actor/grad_norn", nearest: "actor/grad_norm" },
      { name: "mine", nearest: undefined },
    ]);
  });

  it("reads own names by a mapping, and refuses a metric that there is not", () => {
    const text = '{"it": 1, "H": 2}\n{"it": 2, "H": 1}\n';
    assert.throws(() => readLog(text), {
      name: "RangeError",
      message:
        /^Cannot read a log: its names must be those of turnwise, verl, .*, or be mapped by the option map, got it, H/,
    });
    const log = readLog(text, { map: { H: "policy/entropy" } });
    assert.deepEqual(log.records, [
      { update: 1, metrics: { "policy/entropy": 2 } },
      { update: 2, metrics: { "policy/entropy": 1 } },
    ]);
    assert.equal(log.why, "its names are mapped by hand");
    assert.throws(() => readLog(text, { map: { H: "policy/entropi" as never } }), {
      name: "RangeError",
      message:
        'Cannot read a log: map must name metrics of the glossary, but "H" maps to "policy/entropi".\nDid you mean "policy/entropy"?',
    });
  });

  it("computes what follows from other names: silent groups, turns and tokens", () => {
    const tinker = {
      step: 0,
      "env/all/by_group/frac_mixed": 0.25,
      "env/all/total_ac_tokens": 30,
      "env/all/total_episodes": 4,
    };
    // 1 - 1/4 of the groups agree; 30 tokens over 4 episodes.
    assert.deepEqual(readLog(JSON.stringify(tinker)).records[0]!.metrics, {
      "reward/fracZeroStd": 0.75,
      "tokens/mean": 7.5,
    });
    // verl counts the messages of both sides, two for each turn of the agent.
    const verl = { step: 1, data: { "actor/entropy": 1, "training/num_turns/mean": 6 } };
    assert.equal(readLog(JSON.stringify(verl)).records[0]!.metrics["turns/mean"], 3);
  });

  it("refuses a file that is not there, an empty log and an option that it has not", () => {
    assert.throws(() => readLog("no/such.jsonl"), {
      name: "RangeError",
      message: "Cannot read the log: no such file: no/such.jsonl",
    });
    assert.throws(() => readLog("\n"), {
      name: "RangeError",
      message: "Cannot read a log: it must have a line, but all of its 1 bytes are blanks.",
    });
    assert.throws(() => readLog("{}", { framwork: "trl" } as never), {
      message: /Did you mean "framework"\?/,
    });
  });

  it("draws itself in a notebook: its signals, a line at each alarm, and what each alarm has been worth", () => {
    const log = readLog(file("trl.jsonl"));
    const text = String(log);
    assert.match(text, /^A log of TRL: 110 steps, 1 to 110\n/);
    assert.match(
      text,
      /Success had fallen at step 84, as deep as in 0\.1% of random orders of the steps near its best: from a mean of 1 to 0\.572\./,
    );
    const { sensitivity, falseAlarms, medianLead } = alarmTrackRecord({
      name: "unearned silence",
      threshold: 0.2,
    })!;
    const percent = (share: number): string => `${Math.round(100 * share)}%`;
    const cells = ["81, 89, 107", percent(sensitivity), `${medianLead} updates`, percent(falseAlarms)];
    const row = text.split("\n").find((line) => line.startsWith("4  unearned silence"))!;
    assert.deepEqual(row.split(/ {2,}/), ["4", "unearned silence", ...cells]);
    assert.equal(alarmTrackRecord({ name: "std cliff", threshold: 0.2 }), undefined);

    const html = String(log[Symbol.for("Jupyter.display") as typeof displaySymbol]()["text/html"]);
    const { alarms } = log.watch();
    assert.equal(html.match(/stroke-dasharray="4 3"/g)?.length, alarms.length, "a dashed line at each alarm");
    assert.equal(html.match(/stroke="#D55E00" stroke-width="2"/g)?.length, 1, "a solid line at the fall");
    for (const panel of ["success", "unearned silence", "gradient norm", "clipped tokens"])
      assert.ok(html.includes(`>${panel}</text>`), panel);
    assert.ok(!html.includes(">turns</text>"), "TRL logs no turns");
    assert.match(html, /fill="currentColor"/, "its ink is that of the page");
    assert.doesNotMatch(html, /(?:fill|stroke)="(?:#000|#fff|black|white)"/i);

    const drawn = JSON.stringify(log.draw().toSpec());
    assert.ok(drawn.includes("entropy, nats per token") && drawn.includes("success has fallen"));
  });

  it("draws a log whose steps are not logged one by one, and leaves gaps where nothing can be drawn", () => {
    const lines = [10, 20, 30, 40].map((step, i) => ({
      step,
      reward: i / 4,
      grad_norm: i === 1 ? 0 : 1 + i,
    }));
    const log = readLog(lines.map((line) => JSON.stringify(line)).join("\n"));
    const html = String(log[Symbol.for("Jupyter.display") as typeof displaySymbol]()["text/html"]);
    assert.match(html, />step 10<\/text>/);
    assert.match(html, />40<\/text>/);
    const curves = [...html.matchAll(/<path d="(M[^"]*)" fill="none" stroke="#4080E0"/g)].map(([, d]) => d!);
    const starts = curves.map((d) => d.match(/M/g)!.length);
    assert.deepEqual(starts, [1, 2], "success in one piece, the gradient norm in two: 0 has no logarithm");
    assert.ok(html.includes("No alarm."));
  });
});

describe("a log that a run printed to its console", () => {
  it("of verl is read behind what a scheduler puts before its lines, among all other lines", () => {
    const text = [
      "2026-11-01 10:00:00,001 INFO starting, with commas",
      "\u001B[36m(TaskRunner pid=7)\u001B[0m epoch 0, step 1",
      "\u001B[36m(TaskRunner pid=7)\u001B[0m step:1 - actor/entropy:0.452 - actor/lr(1e-4):0.010 - critic/score/mean:-1e-3 - actor/grad_norm:nan",
      "(TaskRunner pid=7) [WARNING] answer too long: 520 - 500",
      "(TaskRunner pid=7) step:2 - actor/entropy:np.float64(0.25) - critic/score/mean:0.5",
      "",
    ].join("\n");
    const log = readLog(text);
    assert.deepEqual([log.framework, log.container], ["verl", "console"]);
    assert.deepEqual(
      log.records.map(({ update, metrics }) => [update, { ...metrics }]),
      [
        [1, { "reward/mean": -0.001, "policy/entropy": 0.452 }],
        [2, { "reward/mean": 0.5, "policy/entropy": 0.25 }],
      ],
    );
  });

  it("of TRL is read behind its progress bar, also where numbers stand in quotes", () => {
    const text =
      "  0%|          | 0/10 [00:00<?, ?it/s]\r 10%|#         | 1/10 [00:03<00:30]\n" +
      "{'loss': 0.1, 'grad_norm': 2.5, 'reward': 0.5, 'frac_reward_zero_std': 0.25, 'epoch': 0.1}\r" +
      " 20%|##        | 2/10 {'loss': '0.2', 'reward': '0.75', 'kl': nan, 'epoch': '0.2'}\n" +
      "{'train_runtime': 12.0, 'train_loss': 0.15}\n";
    const log = readLog(text);
    assert.deepEqual([log.framework, log.container], ["trl", "console"]);
    assert.deepEqual(
      log.records.map(({ update, metrics }) => [update, { ...metrics }]),
      [
        [1, { "reward/mean": 0.5, "reward/fracZeroStd": 0.25, "policy/loss": 0.1, "policy/gradNorm": 2.5 }],
        [2, { "reward/mean": 0.75, "policy/loss": 0.2 }],
      ],
      "its lines have no step, and are counted",
    );
    assert.throws(() => readLog("loading the model\nit is loaded\n"), {
      name: "RangeError",
      message:
        "Cannot read a log: a line must hold metrics, as verl's \"step:1 - actor/entropy:0.5 - ...\" or TRL's " +
        "\"{'loss': 0.1, 'reward': 0.5, ...}\" do, but this text has none.",
    });
  });

  it("gives the same records in pieces as as a whole", () => {
    const text = Array.from(
      { length: 30 },
      (_, i) =>
        `(pid=1) working on ${i}\n(pid=1) step:${i + 1} - actor/entropy:${i / 8} - critic/score/mean:0.5\n`,
    ).join("");
    const whole = readLog(text).records;
    for (const size of [1, 7, 1000]) {
      const reader = new LogReader();
      const all = bytes(text);
      const records = [];
      for (let at = 0; at < all.length; at += size) records.push(...reader.push(all.subarray(at, at + size)));
      records.push(...reader.end());
      assert.deepEqual(records, whole, `pieces of ${size}`);
    }
  });
});

describe("the fall of a log", () => {
  const logOf = (success: readonly number[]) =>
    readLog(success.map((x, i) => JSON.stringify({ update: i + 1, "success/mean": x })).join("\n"), {
      framework: "turnwise",
    });

  it("is not told where luck makes one as deep: 200 batches of one episode that succeeds in 7 of 10", () => {
    const rng = createRng(1);
    const log = logOf(Array.from({ length: 200 }, () => (rng.next() < 0.7 ? 1 : 0)));
    const { fall, dip } = log.watch();
    assert.equal(fall, null);
    assert.ok(dip !== null && dip.chance > 0.05, `a dip of chance ${dip?.chance}`);
    assert.match(
      String(log),
      /, as deep as in \d+\.\d% of random orders of the steps near its best: .*\. That is too often to call it a fall\./,
    );
    assert.ok(!JSON.stringify(log.draw().toSpec()).includes("success has fallen"));
  });

  it("is seldom told by a watch that looks after every step, though luck makes a dip in half of the runs", async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "turnwise-test-"));
    try {
      let [dips, told] = [0, 0];
      for (let seed = 0; seed < 20; seed++) {
        const rng = createRng(seed);
        const success = Array.from({ length: 60 }, () => (rng.next() < 0.7 ? 1 : 0));
        dips += Number(logOf(success).watch().dip !== null);
        const run = path.join(folder, `${seed}.jsonl`);
        fs.writeFileSync(
          run,
          success.map((x, i) => `${JSON.stringify({ update: i + 1, "success/mean": x })}\n`).join(""),
        );
        told += Number(
          (await watchLog(run, { framework: "turnwise", idleSeconds: 0.01, write: () => undefined })) === 3,
        );
      }
      assert.ok(dips >= 10, String(dips));
      // One in twenty; three or more would come in 8 of 100 such tries, and these are the same each time.
      assert.ok(told <= 2, `${told} of 20`);
    } finally {
      fs.rmSync(folder, { recursive: true, force: true });
    }
  });

  it("is told where 40 steps at 0.9 are followed by 10 at 0.1", () => {
    // The mean of 10 steps is .9 - .8 k / 10 after k low ones, and below 75% of .9 = .675 for k = 3: at step 43.
    const { fall, dip } = logOf(Array.from({ length: 50 }, (_, i) => (i < 40 ? 0.9 : 0.1))).watch();
    assert.equal(fall, 43);
    // No order but theirs has all ten low steps behind ten high ones: 1 of 1000.
    assert.deepEqual([dip!.update, dip!.onset, dip!.chance], [43, 41, 0.001]);
  });
});

describe("a public log", () => {
  it("of a TRL run on a market of agents sank, which chance makes about as easily, and no alarm went off", () => {
    const log = readLog(file("public/trl-chaos-economy.json"));
    assert.deepEqual([log.framework, log.container, log.records.length], ["trl", "JSON", 50]);
    assert.deepEqual(log.unknown, []);
    const { alarms, fall, dip, isShare } = log.watch();
    assert.deepEqual(alarms, []);
    assert.equal(fall, null);
    assert.equal(dip!.update, 170);
    assert.ok(dip!.chance > 0.05 && dip!.chance < 0.1, String(dip!.chance));
    assert.equal(isShare, false, "its rewards are of both signs");
  });

  for (const [name, steps] of [
    ["tinker-cog-3", 50],
    ["tinker-cog-6", 80],
  ] as const) {
    it(`of Tinker is read by names given by hand, and did not fall: ${name}`, () => {
      const log = readLog(file(`public/${name}.jsonl`), {
        map: { "reward/pass@1": "success/mean", "off_policy/lag_batches": "staleness/mean" },
      });
      assert.equal(log.records.length, steps);
      const { alarms, fall, watched } = log.watch();
      assert.deepEqual([alarms, fall], [[], null]);
      assert.ok(watched.every(({ signals }) => signals.success !== undefined));
      assert.equal(
        watched.every(({ signals }) => signals.staleness === 0),
        name === "tinker-cog-3",
        "only the third experiment logs its lag, which is 0",
      );
    });
  }
});

describe("a log that is being written", () => {
  for (const framework of others) {
    it(`of ${framework} gives the same records in pieces as as a whole`, () => {
      const text = fs.readFileSync(file(`${framework}.jsonl`));
      const reader = new LogReader();
      const records = [];
      for (let at = 0; at < text.length; at += 37) records.push(...reader.push(text.subarray(at, at + 37)));
      assert.ok(records.length >= 107, "steps are given out before the end");
      records.push(...reader.end());
      assert.deepEqual(records, readLog(file(`${framework}.jsonl`)).records);
      assert.equal(reader.framework, framework === "ragen2" ? "ragen2" : framework);
      assert.equal(reader.tooLate, 0);
    });
  }

  it("counts the lines that come after their step was given out", () => {
    const reader = new LogReader({ framework: "primeRl" });
    const line = (step: number): Uint8Array => bytes(`{"step": ${step}, "entropy/all/mean": ${step}}\n`);
    const given = [1, 2, 3, 4, 2].flatMap((step) => reader.push(line(step)));
    // Two writers may be two steps apart: step 1 is over when step 4 begins.
    assert.deepEqual(given, [{ update: 1, metrics: { "policy/entropy": 1 } }]);
    assert.equal(reader.tooLate, 0);
    reader.push(line(1));
    assert.equal(reader.tooLate, 1);
  });
});
