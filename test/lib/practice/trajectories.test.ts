import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { advantages, recipe } from "turnwise";
import {
  batchOf,
  readTrajectories,
  applyRules,
  type StoredTrajectory,
  type TrajectoryOptions,
} from "turnwise-practice";
import { removeTemporaryFolders, temporaryFolder } from "../../support/command.js";
import { patient } from "../../support/patient.js";
import { root } from "../../support/paths.js";

const stored = (name: string): string => path.join(root, "datasets", "trajectories", name);
const read = async (source: string, options?: TrajectoryOptions): Promise<StoredTrajectory[]> => {
  const all: StoredTrajectory[] = [];
  for await (const one of readTrajectories(source, options)) all.push(one);
  return all;
};
const lines = (...records: object[]): string =>
  `${records.map((record) => JSON.stringify(record)).join("\n")}\n`;

/** An episode as verifiers 0.4.0 stores it: a question, a sampled call of two tokens, a tool's answer, a sampled answer. */
const episode = (id: string, score: number, trainer: readonly (readonly number[])[]): object => {
  const node = (parent: number | null, role: string, content: string, sampled?: object): object => ({
    parent,
    message: { role, content },
    sampled: sampled !== undefined,
    ...sampled,
  });
  const turn = (ids: number[], own: readonly number[]): object => ({
    // The first token is the template's scaffold: not sampled.
    token_ids: [1, ...ids],
    mask: [false, ...ids.map(() => true)],
    logprobs: ids.map(() => -1),
    trainer_logprobs: own,
    advantages: ids.map(() => score - 0.5),
  });
  return {
    id,
    group: { id: "g" },
    task: { type: "t", data: {} },
    traces: [
      {
        agent: { name: "agent", trainable: true },
        rewards: { right: { score, weight: 2 }, none: null },
        nodes: [
          node(null, "user", "which?"),
          node(0, "assistant", "look", turn([7, 8], trainer[0]!)),
          node(1, "tool", "it is 3"),
          node(2, "assistant", "3", turn([9], trainer[1]!)),
        ],
        calls: [],
        stop_condition: null,
      },
      { agent: { name: "judge", trainable: false }, rewards: {}, nodes: [] },
    ],
  };
};

describe("trajectories of other trainers", () => {
  after(removeTemporaryFolders);

  it("verl's dumps of several turns are divided where a tool answers a complete call", async () => {
    const divided = async (output: string) => {
      const [one] = await read(JSON.stringify({ input: "q", output, score: 1, step: 3 }));
      return one!.turns.map(({ observation, tokens }) => [observation, tokens.join("")]);
    };
    const answer = "\nuser\n<tool_response>\n3\n</tool_response>\nassistant\n";
    assert.deepEqual(await divided(`I ask. <tool_call>\n{}\n</tool_call>${answer}It is 3.`), [
      ["q", "I ask. <tool_call>\n{}\n</tool_call>"],
      [answer, "It is 3."],
    ]);
    assert.deepEqual(
      await divided("<search>x</search>\n\n<information>y</information>\n\n<answer>y</answer>"),
      [
        ["q", "<search>x</search>"],
        ["\n\n<information>y</information>\n\n", "<answer>y</answer>"],
      ],
    );
    // The agent wrote the answer to a call that it never finished.
    assert.equal((await divided(`<tool_call>\n{}\n</tool_c${answer}It is 3.`)).length, 1);
    // Cut after an answer: there is a turn that says nothing.
    assert.deepEqual((await divided(`<tool_call>{}</tool_call>${answer}`)).at(-1)![1], "");
  });

  it("verl's dumps are a turn of words each, and the rows of one prompt in one step a group", async () => {
    const text = lines(
      { input: "2 + 2?", output: "it is 4", gts: "4", score: 1, step: 3, acc: true },
      { input: "2 + 2?", output: "5", gts: "4", score: 0, step: 3, acc: false },
      { input: "2 + 2?", output: "4", gts: "4", score: 1, step: 4, acc: true },
    );
    const { batch, tokens, logProbs, extra_n } = await batchOf(readTrajectories(text));
    assert.deepEqual(batch.shape, [3, 1, 3]);
    assert.deepEqual([tokens, logProbs], ["words", []]);
    assert.deepEqual(batch.groupId, ["3:2 + 2?", "3:2 + 2?", "4:2 + 2?"]);
    assert.deepEqual(batch.observation_nt[0], ["2 + 2?"]);
    assert.deepEqual(
      Array.from(batch.token_ntl.subarray(0, 3), (token) => batch.script!.vocabulary[token]),
      ["it", " is", " 4"],
    );
    assert.deepEqual(extra_n[0], { gts: "4", step: 3, acc: true }, "what else was stored is kept");
  });

  it("TRL's completions give, by groups of its size, the advantages that it stored, but for their scale", async () => {
    const file = stored("completions_00001.parquet");
    // Every prompt of this world is the same: the tasks differ in what is not in it.
    assert.equal(new Set((await read(file)).map(({ group }) => group)).size, 1);
    const own = await batchOf(readTrajectories(file, { groupSize: 12 }));
    const tried = applyRules(own, ["grpo", "rloo"]);
    assert.ok(tried.rules[0]!.storedSimilarity! > 0.9999, String(tried.rules[0]!.storedSimilarity));
    assert.equal(tried.rules[0]!.likeStored, tried.rules[0]!.storedSimilarity, "its former name");
    assert.ok(tried.rules[1]!.storedSimilarity! < 0.999, "RLOO does not divide by the standard deviation");
  });

  it("chats keep tools, log-probs and groups: the parquet of the same episodes has the same turns", async () => {
    const chats = await read(stored("messages.jsonl"));
    const completions = await read(stored("completions_00001.parquet"));
    assert.equal(chats.length, 48);
    const turns = (all: readonly StoredTrajectory[]): unknown =>
      all.map((one) => [
        one.reward,
        one.turns.map((turn) => [turn.observation, turn.tokens.map((t) => String(t).trim())]),
      ]);
    assert.deepEqual(turns(completions), turns(chats));
    assert.equal(new Set(chats.map(({ group }) => group)).size, 4);
    const { batch, logProbs } = await batchOf(chats);
    assert.deepEqual(logProbs, ["rollout"]);
    // A fresh policy of 6 tokens.
    const sampled = batch.oldLogProb_ntl.filter((_, i) => batch.mask_ntl[i] === 1);
    assert.ok(sampled.every((x) => Math.abs(x + Math.log(6)) < 1e-4));
    const call = { type: "function", function: { name: "look", arguments: '{"at":1}' } };
    const [one] = await read(
      lines({
        messages: [
          { role: "user", content: "?" },
          { role: "assistant", content: null, tool_calls: [call] },
        ],
        reward: 0,
      }),
    );
    assert.equal(one!.turns[0]!.tokens.join(""), '{"name":"look","arguments":"{\\"at\\":1}"}');
    assert.deepEqual(one!.turns[0]!.info!.tool_calls, [call]);
  });

  it("episodes of verifiers: sampled tokens alone, weighted rewards, both engines' log-probs, no judge", async () => {
    // Ratios of trainer to rollout engine, a = 1: e^.5, e^0, e^-1; b = 0: e^0, e^0, e^.5.
    const text = lines(episode("a", 1, [[-0.5, -1], [-2]]), episode("b", 0, [[-1, -1], [-0.5]]));
    const own = await batchOf(readTrajectories(text));
    const { batch } = own;
    assert.deepEqual(batch.shape, [2, 2, 2]);
    assert.deepEqual(Array.from(batch.return_n), [2, 0], "score times weight");
    assert.deepEqual(Array.from(batch.token_ntl), [7, 8, 9, 0, 7, 8, 9, 0]);
    assert.deepEqual(Array.from(batch.mask_ntl), [1, 1, 1, 0, 1, 1, 1, 0]);
    assert.deepEqual(batch.observation_nt, [
      ["which?", "it is 3"],
      ["which?", "it is 3"],
    ]);
    assert.deepEqual(batch.groupId, ["g", "g"]);
    const tried = applyRules(own, ["grpo"]);
    // k1: the mean over 6 tokens of log rollout - log trainer = (-.5 + 0 + 1 + 0 + 0 - .5) / 6 = 0.
    assert.ok(Math.abs(tried.mismatch["mismatch/kl"]!) < 1e-12);
    // Distances .5, 0, 1, 0, 0, .5.
    assert.ok(Math.abs(tried.mismatch["mismatch/logProbGap"]! - 2 / 6) < 1e-12);
    const [grpo] = tried.rules;
    // A > 0 for a: only e^.5 = 1.65 is above 1.2. A < 0 for b: no ratio is below .8.
    assert.ok(Math.abs(grpo!.ratios["policy/clipFracHigh"]! - 1 / 6) < 1e-12);
    assert.equal(grpo!.ratios["policy/clipFracLow"], 0);
    assert.ok(Math.abs(grpo!.storedSimilarity! - 1) < 1e-9, "half a point above and below, as stored");
    const shown = tried.transcript(0);
    assert.deepEqual(Object.keys(shown.credit), ["stored", "grpo"]);
    assert.match(
      String(tried),
      /^2 trajectories in 1 groups, and what rules make of them\n.*trainer and rollout/,
    );
  });

  it("Atropos' scored data: a group a record, a turn for each run of tokens that are not masked", async () => {
    const text = lines({
      tokens: [
        [1, 2, 3, 4, 5],
        [1, 6],
      ],
      masks: [
        [-100, 2, -100, 4, 5],
        [-100, 6],
      ],
      scores: [1, -1],
      inference_logprobs: [
        [1, -0.1, 1, -0.2, -0.3],
        [1, -0.4],
      ],
      messages: [
        [
          { role: "user", content: "q" },
          { role: "assistant", content: "a" },
          { role: "tool", content: "r" },
          { role: "assistant", content: "b" },
        ],
        [
          { role: "user", content: "q" },
          { role: "assistant", content: "c" },
        ],
      ],
      group_overrides: { weight: 2 },
    });
    const { batch, extra_n } = await batchOf(readTrajectories(text));
    assert.deepEqual(batch.shape, [2, 2, 2]);
    assert.deepEqual(Array.from(batch.token_ntl), [2, 0, 4, 5, 6, 0, 0, 0]);
    assert.deepEqual(Array.from(batch.oldLogProb_ntl), [-0.1, 0, -0.2, -0.3, -0.4, 0, 0, 0]);
    assert.deepEqual(batch.observation_nt, [["q", "r"], ["q"]]);
    assert.deepEqual(Array.from(batch.reward_nt), [0, 1, -1, 0], "the score counts for the last turn");
    assert.deepEqual(extra_n[1], { group_overrides: { weight: 2 } });
    // Mean 0 and standard deviation 1 in the group of two.
    const { advantage_ntl } = advantages(batch, recipe("rloo"));
    assert.deepEqual(Array.from(advantage_ntl), [2, 0, 2, 2, -2, 0, 0, 0]);
  });

  it("names the record and the part that has another form", async () => {
    await assert.rejects(read(lines({ input: "a", output: "b", score: 1 }, { prompt: "a" })), {
      name: "RangeError",
      message:
        /^Cannot read trajectories: a record must have the form of verl's rollout dumps, or .*, but record 1 has prompt\.$/,
    });
    await assert.rejects(read(lines({ input: "a", output: "b", score: "high" })), {
      name: "TypeError",
      message: 'Cannot read a trajectory: score must be a finite number, but record 0 has "high".',
    });
    await assert.rejects(read(lines({ tokens: [[1, 2]], masks: [[1]], scores: [0] })), {
      name: "TypeError",
      message: "Cannot read a trajectory: masks must be a list of 2, but record 0, member 0 has a list of 1.",
    });
    await assert.rejects(read("none.jsonl"), {
      name: "RangeError",
      message: "Cannot read trajectories: no such file: none.jsonl",
    });
    await assert.rejects(read("{}", { format: "vreifiers" as never }), {
      name: "RangeError",
      message:
        'Cannot read trajectories: format must be one of verl, trl, verifiers, atropos, messages, rLlm, tokens, answers, got "vreifiers".\nDid you mean "verifiers"?',
    });
    await assert.rejects(batchOf([]), {
      name: "RangeError",
      message: "Cannot make a batch: there must be a trajectory with a turn, got 0 trajectories.",
    });
  });

  it("streams a file of a hundred megabytes through a heap of 40", async function () {
    this.timeout(patient(60_000));
    const file = path.join(temporaryFolder(), "large.jsonl");
    const line = `${JSON.stringify({ input: "q", output: `${"w".repeat(49)} `.repeat(2_000), score: 1, step: 1 })}\n`;
    const count = Math.ceil(100e6 / line.length);
    const fd = fs.openSync(file, "w");
    for (let i = 0; i < count; i++) fs.writeSync(fd, line);
    fs.closeSync(fd);
    const code = `const { readTrajectories } = require("turnwise-practice");
(async () => {
  let words = 0;
  for await (const { turns } of readTrajectories(${JSON.stringify(file)})) words += turns[0].tokens.length;
  console.log(words);
})();`;
    const { stdout } = await promisify(execFile)(process.execPath, ["--max-old-space-size=40", "-e", code], {
      cwd: root,
    });
    assert.equal(Number(stdout), 2_000 * count);
  });
});
