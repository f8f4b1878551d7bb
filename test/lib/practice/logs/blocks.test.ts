import assert from "node:assert/strict";
import { readLog } from "turnwise-practice";

const valuesOf = (text: string, ...metrics: ("reward/mean" | "policy/loss" | "policy/klReference")[]) =>
  readLog(text).records.map(({ update, metrics: values }) => [
    update,
    ...metrics.map((name) => values[name]),
  ]);

describe("NeMo RL's console", () => {
  const rule = "=".repeat(25);
  const step = (n: number, of: number, reward: string, label = "Avg Reward"): string =>
    `\n${rule} Step ${n}/${of} ${rule}\n▶ Preparing batch...\n▶ Generating responses for batch of size 64...\n` +
    `\n📊 Validation Results:\n    • Accuracy: 0.9900\n    • Average response length: 12.0 tokens\n    • Samples processed: 256\n` +
    `\n📊 Training Results:\n  • Loss: 0.0${n}\n  • Generation KL Error: 0.0007\n  • ${label}: ${reward}\n  • Mean Generation Length: 325.3184\n` +
    `\n⏱️  Timing:\n  • Total step time: 35.70s\n  • policy_training: 10.97s (30.7%)\n` +
    `\n🔍 Performance Metrics:\n  • Mean Total Tokens per Sample: 204.01\n  • Throughputs (per GPU):\n    - E2E (Samples/sec/gpu): 3.59\n`;
  const epoch = (n: number, of: number): string => `\n${rule} Epoch ${n}/${of} ${rule}\n`;

  it("is read block by block, without validation and timing", () => {
    const log = readLog(epoch(1, 1) + step(1, 100, "0.0742") + step(2, 100, "0.0859"));
    assert.equal(log.framework, "nemoRl");
    assert.equal(log.container, "console");
    assert.deepEqual(log.records, [
      {
        update: 1,
        metrics: {
          "reward/mean": 0.0742,
          "policy/loss": 0.01,
          "tokens/mean": 325.3184,
          "mismatch/approxKl": 0.0007,
        },
      },
      {
        update: 2,
        metrics: {
          "reward/mean": 0.0859,
          "policy/loss": 0.02,
          "tokens/mean": 325.3184,
          "mismatch/approxKl": 0.0007,
        },
      },
    ]);
    assert.deepEqual(log.unknown, []);
  });

  it("goes on counting where a second epoch counts from 1", () => {
    const text =
      epoch(1, 2) +
      step(1, 2, "0.1") +
      step(2, 2, "0.2") +
      epoch(2, 2) +
      step(1, 2, "0.3") +
      step(2, 2, "0.4");
    assert.deepEqual(valuesOf(text, "reward/mean"), [
      [1, 0.1],
      [2, 0.2],
      [3, 0.3],
      [4, 0.4],
    ]);
    assert.equal(readLog(text).runs.length, 1);
  });

  it("takes the reward of all groups where some were filtered out", () => {
    const text = [1, 2, 3].map((n) => step(n, 9, "0.9000\n  • Avg Total Reward: 0.5", "Avg Filtered Reward"));
    assert.deepEqual(valuesOf(text.join(""), "reward/mean"), [
      [1, 0.5],
      [2, 0.5],
      [3, 0.5],
    ]);
  });

  it("is read to a block that the end cuts off, and keeps a NaN", () => {
    const cut = step(2, 9, "nan").split("  • Mean Generation")[0]!;
    const { records } = readLog(step(1, 9, "0.1") + cut);
    assert.deepEqual(records[1]!.notFinite, { reward: NaN });
    assert.equal(records[1]!.metrics["policy/loss"], 0.02);
  });
});

describe("AReaL's console", () => {
  const table = (pairs: readonly (readonly [string, string])[]): string => {
    const rows = pairs.map(([name, value]) => `│ ${name.padEnd(40)} │ ${value} │`);
    return `╒${"═".repeat(42)}╤${"═".repeat(12)}╕\n${rows.join(`\n├${"─".repeat(42)}┼${"─".repeat(12)}┤\n`)}\n╘${"═".repeat(42)}╧${"═".repeat(12)}╛\n`;
  };
  const stamp = "(AReaL) 20260302-11:37:11.251 StatsLogger INFO: ";
  const step = (n: number, reward: string): string =>
    `${stamp}Epoch 1/2 Step ${n}/23 Train step ${n}/46 done.\n${stamp}Stats (1/1):\n${stamp}\n` +
    table([
      ["ppo_actor/task_reward/avg", reward],
      ["ppo_actor/update/grad_norm", "2.0000e+00"],
      ["ppo_actor/update/entropy/avg", "3.1000e-01"],
      ["timeperf/rollout", "1.0000e+01"],
    ]);

  it("is read table by table", () => {
    // An evaluation's table has no line with a step above it.
    const evaluated = `Evaluation:\n${table([["ppo_actor/task_reward/avg", "9.0000e+00"]])}`;
    const log = readLog(evaluated + step(1, "5.0000e-01") + evaluated + step(2, "7.5000e-01"));
    assert.equal(log.framework, "areal");
    assert.deepEqual(
      log.records.map(({ update, metrics }) => [
        update,
        metrics["reward/mean"],
        metrics["policy/gradNorm"],
        metrics["policy/entropy"],
      ]),
      [
        [1, 0.5, 2, 0.31],
        [2, 0.75, 2, 0.31],
      ],
    );
    assert.deepEqual(log.unknown, []);
  });

  it("has pairs side by side in several columns, of which the last may be empty", () => {
    const wide = (n: number): string =>
      `${stamp}Epoch 1/1 Step ${n}/9 Train step ${n}/9 done.\n${stamp}Stats (1/1):\n╒═╤═╤═╤═╕\n` +
      `│ ppo_actor/task_reward/avg │ ${n}.0000e-01 │ ppo_actor/update/actor_loss/avg │ nan │\n├─┼─┼─┼─┤\n` +
      `│ ppo_actor/update/grad_norm │ 1.5000e+00 │ │ │\n╘═╧═╧═╧═╛\n`;
    const { records } = readLog(wide(1) + wide(2));
    assert.deepEqual(
      records.map(({ update, metrics, notFinite }) => [update, metrics["policy/gradNorm"], notFinite]),
      [1, 2].map((n) => [n, 1.5, { "ppo_actor/update/actor_loss/avg": NaN }]),
    );
    assert.deepEqual(
      records.map(({ metrics }) => metrics["reward/mean"]),
      [0.1, 0.2],
    );
  });
});

describe("the table of a notebook", () => {
  const header = ["Step", "Training Loss", "reward", "reward_std", "completions / mean_length", "kl"];
  const rows = [
    ["1", "0.000000", "-2.750000", "0.353553", "705.000000", "0.001456"],
    ["50", "0.000300", "1.954082", "4.718855", "686.714286", "No Log"],
    ["100", "0.001700", "4.840000", "6.745799", "569.785000", "0.847362"],
  ];
  const expected = [
    [1, -2.75, 0, 0.001456],
    [50, 1.954082, 0.0003, undefined],
    [100, 4.84, 0.0017, 0.847362],
  ];
  const all = (separator: string): string => [header, ...rows].map((row) => row.join(separator)).join("\n");
  const html = (line: string): string =>
    `<table border="1" class="dataframe">${line}<thead>${line}<tr style="text-align: left;">${line}` +
    `${header.map((cell) => `<th>${cell}</th>`).join(line)}${line}</tr>${line}</thead>${line}<tbody>${line}` +
    `${rows.map((row) => `<tr>${line}${row.map((cell) => `<td>${cell}</td>`).join(line)}${line}</tr>`).join(line)}` +
    `${line}</tbody>${line}</table><p>\n`;
  const forms = {
    "copied from the page": all("\t"),
    "between others' lines": `Unsloth: Will smartly offload gradients to save VRAM!\n [100/100 05:11, Epoch 0/1]\n${all("\t")}\nTrainOutput(global_step=100, training_loss=0.001)\n`,
    "of Markdown": `| ${header.join(" | ")} |\n|${header.map(() => "---").join("|")}|\n${rows.map((row) => `| ${row.join(" | ")} |`).join("\n")}\n`,
    "with bars": all(" | "),
    "in columns of text": all("    "),
    "of HTML, a cell on each line": html("\n      "),
    "of HTML on one line": html(""),
  };
  for (const [form, text] of Object.entries(forms)) {
    it(`is read ${form}`, () => {
      const log = readLog(text);
      assert.equal(log.framework, "trl");
      assert.equal(log.container, "console");
      assert.deepEqual(valuesOf(text, "reward/mean", "policy/loss", "policy/klReference"), expected);
      assert.deepEqual(
        log.records.map(({ metrics }) => metrics["tokens/mean"]),
        [705, 686.714286, 569.785],
      );
    });
  }

  it("ends where a line is no row of it", () => {
    const text = `${all("\t")}\nAnother table\n200\t1\t1\t1\t1\t1\n`;
    assert.deepEqual(
      readLog(text).records.map(({ update }) => update),
      [1, 50, 100],
    );
  });
});

describe("a step whose metrics have a line each", () => {
  const metrics = {
    "actor/entropy": 0.31,
    "actor/grad_norm": 0.2,
    "critic/score/mean": 0.5,
    "response_length/mean": 321.5,
  };
  const expected = [1, 2].map((update) => ({
    update,
    metrics: {
      "reward/mean": 0.5,
      "policy/entropy": 0.31,
      "policy/gradNorm": 0.2,
      "tokens/mean": 321.5,
    },
  }));
  const read = (text: string, process = "") => {
    const lines = text.split("\n").map((line) => `${process}${line}`);
    const log = readLog(lines.join("\n"));
    assert.equal(log.framework, "verl");
    assert.equal(log.container, "console");
    assert.deepEqual(log.records, expected);
    assert.deepEqual(log.unknown, []);
  };
  const steps = (one: (step: number) => string): string => `loading\n${one(1)}chat\n${one(2)}`;
  const ray = "\u001B[36m(TaskRunner pid=71)\u001B[0m ";

  it("is read from a table of Rich, as rLLM prints it, in a process of Ray's or alone", () => {
    const table = (step: number): string =>
      `        Step ${step}        \n┏━━━━━━┳━━━━━┓\n┃ Metric ┃ Value ┃\n┡━━━━━╇━━━━━┩\n` +
      Object.entries(metrics)
        .map(([name, value]) => `│ ${name.padEnd(30)} │ ${value.toFixed(6).padStart(12)} │\n`)
        .join("") +
      "└──────┴─────┘\n";
    read(steps(table));
    read(steps(table), ray);
  });

  it("keeps a name together that the table breaks over two rows", () => {
    const rows =
      "Step 7\n│ actor/entropy │ 0.3 │\n│ critic/score/ │ 0.5 │\n│ mean │  │\n│ actor/grad_norm │ 0.2 │\n└───┴──┘\n";
    assert.deepEqual(valuesOf(rows.repeat(1), "reward/mean"), [[7, 0.5]]);
  });

  it("is read from a table without lines around it", () => {
    const rule = "=".repeat(60);
    read(
      steps(
        (step) =>
          `\nStep ${step}\n${rule}\n${Object.entries(metrics)
            .map(([name, value]) => `${name.padEnd(40)} ${value.toFixed(6).padStart(15)}\n`)
            .join("")}${rule}\n`,
      ),
    );
  });

  it("is read from YAML, as EasyR1 prints it", () => {
    const yaml = (step: number): string =>
      `Step ${step}\nactor:\n  entropy_loss: 0.31\n  grad_norm: 0.2\ncritic:\n  score:\n    max: 1.0\n    mean: 0.5\nresponse_length:\n  mean: 321.5\n`;
    read(steps(yaml));
    read(steps(yaml), "(Runner pid=9) ");
  });

  it("is read from lines that were broken where verl's one line has its dashes", () => {
    const pasted = (step: number): string =>
      `step:${step}\n${Object.entries(metrics)
        .map(([name, value]) => ` - ${name}:${value}\n`)
        .join("")}`;
    read(steps(pasted));
    read(steps((step) => pasted(step).replaceAll(" - ", "").replaceAll("\n", " \n")));
  });

  it("is not found in what else says Step, and a NaN of it is kept", () => {
    assert.throws(() => readLog("Step 1\nTake the pan.\nStep 2\nname: egg\n"), RangeError);
    const { records } = readLog(
      "step:3\n - actor/grad_norm:nan\n - actor/entropy:0.3\n - critic/score/mean:0.5\n",
    );
    assert.deepEqual(records[0]!.notFinite, { "actor/grad_norm": NaN });
  });
});

describe("a logger that unfolds names", () => {
  it("has rows within rows, which are read by their paths", () => {
    const row = (step: number) => ({
      step,
      actor: { grad_norm: 0.2, entropy_loss: 0.31 },
      critic: { score: { mean: 0.5, max: 1 } },
      response_length: { mean: 321.5 },
    });
    const log = readLog([1, 2].map((step) => JSON.stringify(row(step))).join("\n"));
    assert.equal(log.framework, "verl");
    assert.deepEqual(log.records[1], {
      update: 2,
      metrics: {
        "reward/mean": 0.5,
        "policy/entropy": 0.31,
        "policy/gradNorm": 0.2,
        "tokens/mean": 321.5,
      },
    });
    assert.deepEqual(log.unknown, []);
  });
});
