import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { doctor, readLog } from "turnwise-practice";
import { removeTemporaryFolders, temporaryFolder } from "../../../support/command.js";
import { ramp } from "./runs.js";

const noise = (step: number): number => Math.sin(12.9898 * step) * Math.cos(78.233 * step);

type Values = Readonly<Record<string, number | string>>;

/** The table that transformers' trainer shows while it trains. */
function table(steps: readonly number[], course: (step: number) => Values): string {
  const row = (cells: readonly (string | number)[], tag: string): string =>
    `<tr>\n${cells.map((cell) => `      <${tag}>${cell}</${tag}>\n`).join("")}    </tr>`;
  const names = Object.keys(course(1));
  const body = steps.map((step) => row([step, ...Object.values(course(step))], "td")).join("\n");
  return `<div><progress value='9'></progress></div>\n<table border="1">\n<thead>\n${row(["Step", ...names], "th")}\n</thead>\n<tbody>\n${body}\n</tbody></table><p>`;
}

const upTo = (last: number, first = 1): number[] =>
  Array.from({ length: last - first + 1 }, (_, i) => first + i);
const html = (text: string) => ({
  output_type: "display_data",
  data: { "text/plain": ["<IPython.core.display.HTML object>"], "text/html": [text] },
});
const printed = (...text: string[]) => ({ output_type: "stream", name: "stdout", text });
const code = (source: string, ...outputs: object[]) => ({
  cell_type: "code",
  source: source.split(/(?<=\n)/),
  outputs,
});

function notebook(...cells: object[]): string {
  const file = path.join(temporaryFolder(), "Qwen_GRPO.ipynb");
  const prose = { cell_type: "markdown", source: ["GRPOConfig(beta=9)"] };
  fs.writeFileSync(
    file,
    JSON.stringify({ cells: [prose, ...cells], metadata: {}, nbformat: 4, nbformat_minor: 5 }, null, 1),
  );
  return file;
}

const reward =
  (fall?: readonly [number, number]) =>
  (step: number): Values => ({
    "Training Loss": "0.001200",
    reward: (
      ramp(step, [1, 40], 0.2, 0.8) * (fall ? ramp(step, fall, 1, 0.02) : 1) +
      0.02 * noise(step)
    ).toFixed(6),
    reward_std: 0.3,
    "completions / mean_length": (200 + 10 * noise(step)).toFixed(1),
    kl: 0.002,
  });

const model = code("from unsloth import FastLanguageModel\nmax_seq_length = 1024\nlora_rank = 32\n");
const config = (more: string) =>
  code(
    `from trl import GRPOConfig, GRPOTrainer\nmax_prompt_length = 256\nargs = GRPOConfig(\n    learning_rate = 5e-6,\n    max_completion_length = max_seq_length - max_prompt_length, # what is left\n    num_generations = 4,\n    ${more}\n)\n`,
  );
const trainer = "trainer = GRPOTrainer(model = model, args = args, train_dataset = d)\ntrainer.train()";

describe("doctor() on a notebook", () => {
  after(removeTemporaryFolders);

  it("reads the table of its output as the log, and its code as the configuration", async () => {
    const file = notebook(
      code("!pip install unsloth", printed("Collecting unsloth\n")),
      model,
      code("model = FastLanguageModel.get_peft_model(model, r = lora_rank)"),
      config("beta = 0.04,"),
      code(trainer, printed("Unsloth: Will train\n"), html(table(upTo(120), reward([70, 90])))),
      code("print(1)", printed("1\n")),
    );
    const report = await doctor(file);
    assert.equal(report.code, 3);
    const [log, settings] = report.files;
    assert.equal(log!.title, "notebook of TRL");
    assert.match(settings!.title, /^code of the notebook, of Unsloth \(TRL\)/);
    assert.equal(settings!.why, "code cell 4 has its arguments");
    const { subject } = report.parts.configs[0]!.lint;
    assert.equal(subject.number("maxResponse"), 768, "the difference of two constants of other cells");
    assert.equal(subject.number("loraRank"), 32);
    assert.equal(subject.number("klLossCoef"), 0.04, "not what the prose says");
    assert.equal(report.runs[0]!.last, 120);
    assert.equal(readLog(file).container, "notebook");
  });

  it("leaves out a warm-up by supervised training, and takes several trainings as runs with their own settings", async () => {
    const warm = code("sft.train()", html(table(upTo(200), () => ({ "Training Loss": 0.4 }))));
    const two = await doctor(
      notebook(
        model,
        warm,
        config("beta = 0.01,"),
        code(trainer, html(table(upTo(100), reward([60, 80])))),
        config("beta = 0.08,"),
        code(trainer, html(table(upTo(90), reward()))),
      ),
    );
    assert.deepEqual(
      two.runs.map(({ first, last, verdict }) => [first, last, verdict.success.kind]),
      [
        [1, 100, "fell"],
        [1, 90, "held"],
      ],
    );
    assert.equal(two.parts.view.subject!.number("klLossCoef"), 0.01, "the settings of the run that fell");
    const second = await doctor(
      notebook(model, config("beta = 0.08,"), code(trainer, html(table(upTo(90), reward())))),
    );
    assert.equal(second.parts.view.subject!.number("klLossCoef"), 0.08);
    assert.equal(second.code, 0);
  });

  it("goes on with a training that a later cell resumed", async () => {
    const { runs } = await doctor(
      notebook(
        config("beta = 0.0,"),
        code(trainer, html(table(upTo(60), reward()))),
        code("trainer.train(resume_from_checkpoint=True)", html(table(upTo(100, 51), reward()))),
      ),
    );
    assert.deepEqual(
      runs.map(({ last, resumed }) => [last, resumed]),
      [[100, [{ at: 51, after: 60 }]]],
    );
  });

  it("reads what a script printed below a cell, and the error that ended it", async () => {
    const lines = upTo(30).map(
      (step) =>
        `{'loss': 0.01, 'grad_norm': 0.2, 'reward': ${0.3 + 0.01 * step + 0.01 * noise(step)}, 'reward_std': 0.2, 'epoch': ${step / 100}}\n`,
    );
    const stopped = await doctor(
      notebook(
        code("!python train.py", printed(...lines), {
          output_type: "error",
          ename: "OutOfMemoryError",
          evalue: "CUDA out of memory. Tried to allocate 2 GiB\nmore",
          traceback: ["---", "\u001B[31mOutOfMemoryError\u001B[39m Traceback"],
        }),
      ),
    );
    assert.match(String(stopped), /after step 30, code cell 1: OutOfMemoryError: CUDA out of memory/);
    assert.equal(stopped.code, 4);
    // An error in a cell that tries something out afterward is not the run's.
    const later = await doctor(
      notebook(
        code("!python train.py", printed(...lines)),
        code("model.generate()", {
          output_type: "error",
          ename: "NameError",
          evalue: "name 'model' is not defined",
          traceback: [],
        }),
      ),
    );
    assert.equal(later.code, 0);
  });

  it("takes one without outputs for a configuration, and says of one without either why it is not read", async () => {
    const plain = await doctor(notebook(config("beta = 0.2,")));
    assert.equal(plain.files[0]!.kind, "configuration");
    assert.equal(plain.code, 4);
    await assert.rejects(
      doctor(notebook(code("import numpy as np", printed("ok\n")))),
      /it has neither the output of a training by reinforcement nor the arguments of a GRPOConfig/,
    );
  });
});
