// Uses internals of turnwise-practice.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { doctor } from "turnwise-practice";
import { recipe } from "turnwise";
import { census } from "turnwise-practice/internal/doctor/census";
import { creditOf } from "turnwise-practice/internal/doctor/rollouts/credit";
import { kindsOf } from "turnwise-practice/internal/doctor/rollouts/tokenKinds";
import { arrayRecords } from "turnwise-practice/internal/traces/arrayRecords";
import { removeTemporaryFolders, temporaryFolder } from "../../../support/command.js";
import { patient } from "../../../support/patient.js";

type Stored = Readonly<Record<string, unknown>>;

/** A file with these records. */
function fileOf(records: readonly Stored[]): string {
  const file = join(temporaryFolder(), "rollouts.jsonl");
  writeFileSync(file, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
  return file;
}

const user = (content: string) => ({ role: "user", content });
const tool = (content: string) => ({ role: "tool", content });
const assistant = (content: string, more: object = {}) => ({ role: "assistant", content, ...more });
const chat = (group: string, reward: number, ...messages: object[]): Stored => ({ group, reward, messages });
const spelled = (content: string, tokens: readonly string[]) =>
  assistant(content, { logprobs: { content: tokens.map((token) => ({ token, logprob: -1 })) } });

describe("what the doctor says of rollouts", function () {
  this.timeout(patient(20_000));
  this.slow(2000);
  after(removeTemporaryFolders);

  it("is where each rule puts its credit: by turn, by length and by kind of token", async () => {
    // One group of two. The solver thinks and calls in its first turn, 4 words, and answers in the last, 1; the other one answers at
    // once, 1 word. Advantages are ±1/2; drGrpo weighs all tokens alike, so of the sum 6 x 1/2, the first turn has 4/6, last ones 2/6.
    const file = fileOf([
      chat(
        "a",
        1,
        user("q"),
        assistant("<think> so </think> <search>x</search>"),
        tool("it is 3"),
        assistant("3"),
      ),
      chat("a", 0, user("q"), assistant("2")),
    ]);
    const credit = await creditOf(file, recipe("drGrpo"));
    const [own, grpo] = credit.rules;
    assert.deepEqual([own!.rule, own!.isOwn, own!.like, own!.pushed], ["drGrpo", true, 1, 1]);
    const near = (a: number, b: number): void => assert.ok(Math.abs(a - b) < 1e-6, `${a} ${b}`);
    near(own!.turns.first, 4 / 6);
    near(own!.turns.last, 2 / 6);
    // Words longer than the median of 5 and 1, which is 5 of two: none is.
    assert.equal(own!.longerHalf, undefined);
    near(own!.kinds.thought!, 3 / 6);
    near(own!.kinds.call!, 1 / 6);
    near(own!.kinds.text!, 2 / 6);
    // grpo takes the mean over each trajectory first: half of the credit is the short one's, so the first turn has 4/5 of the other half.
    assert.equal(grpo!.rule, "grpo");
    near(grpo!.turns.first, 4 / 10);
    // 5 cells of 1/10 and one of 1/2 beside 6 of 1/6: (5/60 + 5/60... ) = (1/6)(5/10 + 1/2) / (sqrt(6)/6 sqrt(.05 + .25)) = .745.
    near(grpo!.like!, 1 / 6 / ((Math.sqrt(6) / 6) * Math.sqrt(0.3)));
    assert.equal(credit.rules.find(({ rule }) => rule === "rloo")!.as, "drGrpo");
    const { differ } = credit;
    assert.ok(differ && differ.episodes.length > 0);
    assert.ok(differ.episodes.every(({ says }) => says === "3" || says === "2"));
  });

  it("is which rules cannot be applied, and why", async () => {
    const credit = await creditOf(
      fileOf([chat("a", 1, user("q"), assistant("3")), chat("a", 0, user("q"), assistant("2"))]),
      recipe("ppo"),
    );
    assert.equal(credit.skipped[0]!.rule, "ppo");
    assert.match(credit.skipped[0]!.why, /value/);
    assert.ok(credit.rules.some(({ rule }) => rule === "grpo"));
    assert.equal(
      credit.rules.some(({ isOwn }) => isOwn),
      false,
    );
    // In groups of one, leave-one-out has nobody left.
    const alone = await creditOf(fileOf([chat("a", 1, user("q"), assistant("3"))]), undefined);
    assert.ok(
      alone.skipped.some(({ rule }) => rule === "rloo"),
      JSON.stringify(alone.skipped),
    );
  });

  it("knows thoughts, calls, and the text of another role inside a turn", () => {
    const words =
      "<think> a b </think> go <tool_call>{}</tool_call> <tool_response> x y </tool_response> done".split(
        /(?= )/,
      );
    assert.deepEqual(kindsOf({ observation: "", tokens: words }), [
      ...["thought", "thought", "thought", "thought", "text", "call"],
      ...["other role", "other role", "other role", "other role", "text"],
    ]);
    const react = [
      "Thought: a",
      "\nAction: f",
      "\nAction Input: {}",
      "\nObservation: 3",
      "\nFinal Answer: 3",
    ];
    const kinds = ["thought", "call", "call", "other role", "text"];
    assert.deepEqual(kindsOf({ observation: "", tokens: react }), kinds);
    assert.equal(kindsOf({ observation: "", tokens: [1, 2] }), undefined);
  });

  it("is whether tokens of tools are trained, as far as the file shows it", async () => {
    const dump = await census(
      fileOf([
        {
          input: "q",
          output: "<search>x</search> <information> it is 3 </information> 3",
          score: 1,
          step: 1,
        },
        { input: "q", output: "3", score: 0, step: 1 },
      ]),
    );
    // <information>, it, is, 3, </information> of 8 words.
    assert.deepEqual(dump.mask.otherRoles, { checked: 8, found: 5, example: "0" });
    assert.equal(dump.mask.isStored, false);
    // verifiers store the mask of each message: here that of a tool is 1.
    const node = (role: string, sampled: boolean, ids: number[], mask: boolean[], parent: number | null) => ({
      ...{ message: { role, content: "" }, sampled, token_ids: ids, mask, parent },
      logprobs: sampled ? ids.map(() => -1) : [],
    });
    const nodes = [
      node("user", false, [1, 2], [false, false], null),
      node("assistant", true, [3, 9], [true, true], 0),
      node("tool", false, [4, 5, 6], [false, true, true], 1),
      node("assistant", true, [7], [true], 2),
    ];
    const episodes = await census(
      fileOf([{ id: "e", task: { key: "t" }, traces: [{ nodes, calls: [], rewards: { r: { score: 1 } } }] }]),
    );
    assert.deepEqual(episodes.mask.otherRoles, { checked: 5, found: 2, example: "e.0" });
    assert.equal(episodes.mask.isStored, true);
    assert.match((episodes.mask.missingEnds as { why: string }).why, /^2 turns are too few/);
  });

  it("is which turns lack their end, and whose tokens spell another text", async () => {
    const { mask } = await census(
      fileOf([
        chat("a", 1, user("q"), spelled("yes", ["yes", "<|im_end|>"])),
        chat("a", 0, user("q"), spelled("no way", ["no", " way"])),
        chat("a", 0, user("q"), spelled("maybe", ["may", "not", "<|im_end|>"])),
      ]),
    );
    assert.deepEqual(mask.missingEnds, { checked: 3, found: 1, example: "1" });
    assert.deepEqual(mask.respelled, {
      checked: 3,
      found: 1,
      example: "2",
      where: 'at token 1 ("not"), where the message has "be"',
    });
  });

  it("is how the agent fails, each rollout counted once", async () => {
    const calls = assistant("", { tool_calls: [{ function: { name: "f", arguments: "{}" } }] });
    const { failures, passAtK } = await census(
      fileOf([
        chat("a", 1, user("q"), calls, tool("3"), assistant("3")),
        { ...chat("a", 0, user("q"), assistant("well")), truncated: true },
        chat("a", 0, user("q"), calls, tool("error: none"), assistant("2")),
        chat("a", 0, user("q"), assistant("x"), user("?"), assistant("x"), user("?"), assistant("x")),
        chat("a", 0, user("q"), calls, tool("3"), assistant("")),
        chat("a", 0, user("q"), calls, tool("3"), assistant("4")),
        chat("a", 0, user("q"), assistant("4")),
      ]),
    );
    assert.deepEqual(failures, { all: 6, cut: 1, noAnswer: 1, loop: 1, toolErrors: 1, noTool: 1, wrong: 1 });
    // One of seven solves: 1/7, 2/7, 4/7.
    assert.deepEqual(
      passAtK.map(([k, share]) => [k, Math.round(7 * share)]),
      [
        [1, 1],
        [2, 2],
        [4, 4],
      ],
    );
  });

  it("reads a list of JSON under the names of other frameworks, however it is cut into pieces", async () => {
    const records = [
      { task_id: 7, trial: 0, reward: 1, traj: [user('a "]," \\\\ é'), assistant("{1, 2]")] },
      { task_id: 7, trial: 1, reward: 0, traj: [user("a"), assistant("3")] },
    ];
    const text = JSON.stringify(records, null, 1);
    const bytes = new TextEncoder().encode(`\uFEFF${text}`);
    for (const size of [1, 7, bytes.length]) {
      const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
        bytes.subarray(i * size, (i + 1) * size),
      );
      assert.deepEqual([...arrayRecords(pieces)], records, `${size} bytes a piece`);
    }
    assert.deepEqual([...arrayRecords([new TextEncoder().encode(" [ ] ")])], []);
    assert.throws(
      () => [...arrayRecords([bytes.subarray(0, 200)])],
      /^RangeError: .* ends inside record 1\.$/,
    );
    assert.throws(
      () => [...arrayRecords([new TextEncoder().encode("[1]")])],
      /^RangeError: .*record 0 must be an object, got 1\.$/,
    );
    const file = join(temporaryFolder(), "trajectories.json");
    writeFileSync(file, text);
    const report = await doctor(file);
    assert.equal(report.files[0]!.kind, "rollouts");
    assert.equal(report.code, 4, "rewards of rollouts are no log of a run that held");
    const { groups, mixed, turns } = report.parts.view.rollouts[0]!.census;
    assert.deepEqual([groups, mixed, turns], [1, 1, 1]);
    writeFileSync(file, text.slice(0, 200));
    await assert.rejects(doctor(file), /ends inside record 1/);
  });

  it("stands on the page, and what it cannot tell with the reason", async () => {
    const file = fileOf([
      { input: "q", output: "<search>x</search> <information> it is 3 </information> 3", score: 1, step: 1 },
      { input: "q", output: "3", score: 0, step: 1 },
    ]);
    const page = (await doctor(file)).toString().replaceAll(/\s+/g, " ");
    assert.match(page, /failures of 1 below the highest reward, 1 called no tool, where others did/);
    assert.match(
      page,
      /loss mask 5 of 8 tokens are another role's text \(63%, first in 0\): the file holds no mask, and they are trained unless/,
    );
    // What the tool answered is heard, not said: no rule gives it credit.
    assert.match(page, /grpo: pushes 100% of the tokens; first turns get 25% .*; call 25%; text 75%/);
    assert.match(page, /grpo and \w+ differ most in [01] /);
    assert.match(
      page,
      /whether text was tokenized again is not known: no turn has both its tokens and its text/,
    );
  });
});
