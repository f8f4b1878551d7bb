import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { doctor, readTrajectories, type DoctorReport } from "turnwise-practice";
import { removeTemporaryFolders, temporaryFolder } from "../../../support/command.js";
import { ramp } from "./runs.js";

function folder(files: Readonly<Record<string, string>>): string {
  const made = temporaryFolder();
  for (const [name, text] of Object.entries(files)) fs.writeFileSync(path.join(made, name), text);
  return made;
}

const noise = (step: number): number => Math.sin(12.9898 * step) * Math.cos(78.233 * step);
type Course = (step: number) => Readonly<Record<string, number | string>>;
const jsonl = (steps: number, course: Course): string =>
  Array.from({ length: steps }, (_, i) => `${JSON.stringify({ step: i + 1, ...course(i + 1) })}\n`).join("");
const of = (steps: number, course: Course, more: Readonly<Record<string, string>> = {}) =>
  doctor(folder({ "log.jsonl": jsonl(steps, course), ...more }));
const names = (report: DoctorReport): string[] => report.causes.map(({ name }) => name);
const said = (report: DoctorReport, name: string): string =>
  report.causes.find((one) => one.name === name)?.evidence.join("; ") ?? "";
const learns: Course = (step) => ({
  loss: 0.001,
  grad_norm: 0.3,
  reward: ramp(step, [1, 60], 0.2, 0.7) + 0.02 * noise(step),
  reward_std: 0.3,
});

describe("doctor() on runs of TRL that learn nothing", () => {
  after(removeTemporaryFolders);

  it("does not call a run fine whose answers are all cut and whose reward does not rise", async () => {
    const course =
      (from: number, to: number): Course =>
      (step) => ({
        ...learns(step),
        reward: Math.max(0, ramp(step, [1, 60], from, to) + 0.02 * noise(step)),
        "completions/mean_length": 64,
        "completions/clipped_ratio": 1,
      });
    const flat = await of(60, course(0.04, 0.04));
    assert.equal(flat.code, 4);
    assert.deepEqual(names(flat).slice(0, 2), ["answers-are-cut", "never-ends"]);
    assert.match(flat.headline, /^Most likely: answers run into the limit/);
    assert.match(said(flat, "never-ends"), /100% of answers are cut at each of 60 steps, after 64 tokens/);
    // To leave out all answers is no remedy; the limit is their length.
    assert.match(String(flat), /change {2}max_completion_length=1024 /);
    assert.doesNotMatch(String(flat), /mask_truncated_completions=True/);
    // One that learns can live with it.
    const rising = await of(60, course(0.1, 0.6));
    assert.equal(rising.code, 0);
    assert.match(rising.headline, /^No cause to name/);
  });

  it("sees prompts without a chat template in the program", async () => {
    const program = (prompt: string): string =>
      `from trl import GRPOConfig, GRPOTrainer\nd = d.map(lambda x: {"prompt": ${prompt}})\nargs = GRPOConfig(max_completion_length=512, beta=0.04)\nGRPOTrainer(model="Qwen/Qwen2.5-0.5B-Instruct", reward_funcs=f, args=args, train_dataset=d).train()\n`;
    const cut: Course = (step) => ({
      ...learns(step),
      reward: 0,
      reward_std: 0,
      "completions/clipped_ratio": 1,
    });
    const text = await of(30, cut, { "train.py": program('x["question"]') });
    assert.equal(names(text)[0], "never-ends");
    assert.match(said(text, "never-ends"), /Prompts are plain texts, to which no chat template is applied/);
    const chat = await of(30, cut, { "train.py": program('[{"role": "user", "content": x["question"]}]') });
    assert.doesNotMatch(String(chat), /plain texts/);
  });

  it("sees groups without any spread after a few steps, and one reward for all answers", async () => {
    const few = await of(6, () => ({
      loss: 0,
      grad_norm: 0,
      reward: 0,
      reward_std: 0,
      "completions/mean_length": 230,
    }));
    assert.equal(names(few)[0], "equal-groups");
    assert.match(
      said(few, "equal-groups"),
      /the reward is 0 at every step: either no answer is good, or the reward function/,
    );
    const differ = await of(6, (step) => ({ loss: 0, grad_norm: 0.2, reward: 0.1 * step, reward_std: 0.2 }));
    assert.ok(!names(differ).includes("equal-groups"));
  });

  it("sees that a batch's answers are all equally long, as where padding is counted", async () => {
    const lengths =
      (least: (step: number) => number, cut = 0): Course =>
      (step) => ({
        ...learns(step),
        "completions/mean_length": 400,
        "completions/min_length": least(step),
        "completions/max_length": 400 + (step % 7),
        "completions/clipped_ratio": cut,
      });
    const padded = await of(
      40,
      lengths((step) => 400 + (step % 7)),
    );
    assert.equal(names(padded)[0], "padding-trained");
    assert.match(
      said(padded, "padding-trained"),
      /as long as the longest in 40 of 40 steps \(400 to 406 tokens\)/,
    );
    assert.ok(
      !names(
        await of(
          40,
          lengths(() => 120),
        ),
      ).includes("padding-trained"),
    );
    assert.ok(
      !names(
        await of(
          40,
          lengths((step) => 400 + (step % 7), 1),
        ),
      ).includes("padding-trained"),
    );
  });

  it("sees a policy that never moves: a KL of exactly 0, and an adapter that was loaded for inference", async () => {
    const still: Course = (step) => ({ ...learns(step), reward: 0.4 + 0.05 * noise(step), kl: 0 });
    const program = (load: string): string =>
      `from peft import PeftModel\nfrom trl import GRPOConfig, GRPOTrainer\nmodel = ${load}\nargs = GRPOConfig(beta=0.01, num_generations=8)\ntrainer = GRPOTrainer(model=model, args=args, reward_funcs=f)\n`;
    const frozen = await of(60, still, { "train.py": program('PeftModel.from_pretrained(base, "adapter")') });
    assert.equal(names(frozen)[0], "no-gradient");
    assert.equal(frozen.causes[0]!.title, "updates do not reach the weights");
    assert.match(
      said(frozen, "no-gradient"),
      /exactly 0 at all 60 steps.*; The adapter is loaded for inference/,
    );
    assert.equal(frozen.code, 4, "nothing that could fall");
    const trainable = 'PeftModel.from_pretrained(base, "adapter", is_trainable=True)';
    const moving = await of(60, (step) => ({ ...still(step), kl: 1e-5 * step }), {
      "train.py": program(trainable),
    });
    assert.ok(!names(moving).includes("no-gradient"));
    // No headline where it is not known whether a KL is computed at all.
    const unknown = await of(60, still);
    assert.match(unknown.headline, /^No cause can be named: success has not risen in 60 steps/);
    const uncharged = await of(60, still, {
      "train.py": program(trainable).replace("beta=0.01", "beta=0.0"),
    });
    assert.ok(!names(uncharged).includes("no-gradient"));
  });

  it("sees a KL that is huge before anything has moved, and dropout in the model that was printed", async () => {
    const console = (kl: number, rate: string): string =>
      `GPT2LMHeadModel(\n    (drop): Dropout(p=${rate}, inplace=False)\n${Array.from(
        { length: 10 },
        (_, i) =>
          `{'loss': 0.1, 'grad_norm': 0.5, 'reward': 0.2, 'reward_std': 0.1, 'kl': ${kl + 0.1 * i}, 'epoch': ${i / 10}}`,
      ).join("\n")}\n`;
    const huge = await doctor(folder({ "train.log": console(11, "0.1") }));
    assert.equal(huge.causes[0]!.name, "other-reference");
    assert.match(huge.headline, /^Most likely: the KL to the reference is huge before training has moved/);
    assert.match(said(huge, "other-reference"), /Dropout\(p=0\.1\): while it trains/);
    const small = await doctor(folder({ "train.log": console(0.2, "0.0") }));
    assert.doesNotMatch(said(small, "other-reference"), /Dropout/);
    assert.match(small.headline, /^No cause can be named/);
  });

  it("does not take a loss of 0 for finite where transformers puts it in the place of NaN, and raises no bound that is low", async () => {
    const nan: Course = (step) => ({
      loss: step < 3 ? 0.1 : 0,
      grad_norm: step < 3 ? 0.5 : "nan",
      reward: 0.3,
      reward_std: 0.2,
      epoch: step,
    });
    const report = await of(8, nan, {
      "args.yaml": "num_generations: 4\nmax_grad_norm: 0.1\nlearning_rate: 5.0e-6\nbeta: 0.04\n",
    });
    assert.match(said(report, "nan"), /the loss reads 0 there, which transformers logs instead of NaN/);
    assert.deepEqual(
      report.causes[0]!.change.map(({ setting }) => setting),
      ["learningRate"],
    );
  });

  it("sees groups of one in the spread of their rewards", async () => {
    const one = await of(8, () => ({
      loss: 0,
      grad_norm: "nan",
      reward: 0.25,
      reward_std: "nan",
      kl: 0.0007,
    }));
    assert.match(
      said(one, "mixed-groups"),
      /reward_std is NaN from the first step on while the reward is 0\.25/,
    );
    assert.ok(names(one).indexOf("mixed-groups") <= 2);
    const later = await of(8, (step) => ({
      reward: 0.25,
      grad_norm: 0.1,
      reward_std: step < 4 ? 0.2 : "nan",
    }));
    assert.ok(!names(later).includes("mixed-groups"));
  });

  it("does not end with 0 where the part of the task falls under a sum that rises", async () => {
    const parts =
      (task: string): Course =>
      (step) => ({
        reward: ramp(step, [1, 100], 0.4, 0.9) + 0.02 * noise(step),
        "rewards/format_reward/mean": ramp(step, [1, 80], 0.2, 1),
        [`rewards/${task}/mean`]: ramp(step, [30, 90], 0.6, 0.05) + 0.02 * noise(step),
      });
    const config = { "args.yaml": "num_generations: 8\nmax_completion_length: 1024\n" };
    const hacked = await of(120, parts("correctness_reward"), config);
    assert.equal(hacked.code, 4);
    assert.match(said(hacked, "parts-apart"), /Nothing holds the policy to where it began/);
    // A part of the manner of an answer is not the task, whatever else its name has.
    assert.equal((await of(120, parts("match_format_exactly"), config)).code, 0);
  });

  it("reads numbers as people quote them, several on a line", async () => {
    const quoted = Array.from(
      { length: 4 },
      (_, i) =>
        `completions/mean_length: 256   completions/clipped_ratio: 1   mean_terminated_length: 0\nreward: 0   reward_std: 0   loss: 0   grad_norm: ${i}e-9\n`,
    ).join("\n");
    const report = await doctor(folder({ "pasted.txt": `It looks like this:\n${quoted}` }));
    assert.equal(report.runs[0]!.records.length, 4);
    assert.equal(report.causes[0]!.name, "answers-are-cut");
    assert.match(said(report, "never-ends"), /after 256 tokens/);
  });

  it("reads ms-swift's tables of completions, one a line", async () => {
    const line = (step: number): string =>
      `${JSON.stringify({
        step: [String(step), String(step)],
        prompt: ["<|im_start|>user\n2+2?", "<|im_start|>user\n2+2?"],
        completion: ["4", "five"],
        Accuracy: [1, 0],
        Format: [0.5, 0.5],
        advantages: [0.7, -0.7],
        entropy: [0.3, 0.9],
      })}\n`;
    const file = path.join(folder({ "completions.jsonl": line(1) + line(2) }), "completions.jsonl");
    const read = [];
    for await (const one of readTrajectories(file))
      read.push([one.group.slice(0, 2), one.reward, one.turns[0]!.advantage?.[0]]);
    assert.deepEqual(read, [
      ["1:", 1.5, 0.7],
      ["1:", 0.5, -0.7],
      ["2:", 1.5, 0.7],
      ["2:", 0.5, -0.7],
    ]);
    const { census } = (await doctor(file)).parts.view.rollouts[0]!;
    assert.deepEqual([census.groups, census.mixed], [2, 2]);
    await assert.rejects(async () => {
      for await (const _ of readTrajectories(line(1).replace('["4","five"]', '["4"]'))) break;
    }, /completion must be a list of 2, but record 0 has a list of 1/);
  });
});

describe("doctor() on programs that train with TRL", () => {
  after(removeTemporaryFolders);

  const lintOf = async (text: string) => (await doctor(folder({ "train.py": text }))).parts.configs[0]!.lint;
  const call = "trainer = GRPOTrainer(model=m, reward_funcs=f, args=args, train_dataset=d)\n";

  it("takes one without a GRPOConfig to run with the defaults", async () => {
    const {
      title,
      names: why,
      subject,
    } = await lintOf(
      'from trl import GRPOTrainer\ntrainer = GRPOTrainer(model="Qwen/Qwen2-0.5B-Instruct", reward_funcs=f, train_dataset=d)\n',
    );
    assert.equal(title, "TRL");
    assert.match(why.why, /gives it no arguments, so that all are defaults/);
    assert.equal(subject.number("maxResponse"), 256);
  });

  it("says where the arguments of others are", async () => {
    const refused = (text: string, why: RegExp) => assert.rejects(doctor(folder({ "train.py": text })), why);
    await refused(
      `parser = TrlParser((ScriptArguments, GRPOConfig))\nscript_args, args = parser.parse_args_and_config()\n${call}`,
      /the program takes its arguments from the command line: give the script or the file with them/,
    );
    await refused(`from mine import args\n${call}`, /the trainer's args must be made in the same file/);
  });

  it("computes with constants, and leaves open what is set twice", async () => {
    const text = (more: string): string =>
      `window = 2048\nprompt = 512 # tokens\n${more}args = GRPOConfig(max_completion_length=window - prompt // 2, num_generations=4 * 2, beta=b)\n`;
    const known = await lintOf(text("b = 1e-3\n"));
    assert.equal(known.subject.number("maxResponse"), 1792);
    assert.equal(known.subject.number("groupSize"), 8);
    assert.equal(known.subject.number("klLossCoef"), 0.001);
    const named = await lintOf(text('b = 1e-3\nnote = """\nb = 2\n"""\nprepare(\n    b = b,\n)\n'));
    assert.equal(named.subject.number("klLossCoef"), 0.001, "neither a text nor an argument sets it");
    const twice = await lintOf(text("b = 1e-3\nif big:\n    b = 0.1\n"));
    assert.throws(() => twice.subject.number("klLossCoef"), /depends on what runs the configuration/);
  });

  it("knows an adapter by its configuration, and reads configurations under other names", async () => {
    const rate = (lora: string) =>
      lintOf(`${lora}\nargs = AsyncGRPOConfig(learning_rate=2e-5, num_generations=8)\n${call}`);
    const high = ({ found }: Awaited<ReturnType<typeof rate>>) =>
      found.some(({ id }) => id === "high-learning-rate");
    assert.ok(high(await rate("")));
    assert.ok(!high(await rate("peft = LoraConfig(r=16, lora_alpha=32)")));
    assert.ok(!high(await rate("trainer = GRPOTrainer(model=m, peft_config=make())")));
    assert.ok(!high(await rate("model = FastVisionModel.get_peft_model(model, r=rank)")), "of any rank");
    assert.ok(high(await rate("class MyGRPOConfig(GRPOConfig):\n    pass")), "a class is no call");
  });
});
