// Uses internals of turnwise-practice.
import assert from "node:assert/strict";
import { atropos } from "turnwise-practice/internal/traces/formats/atropos";
import { listOf } from "turnwise-practice/internal/traces/formats/contract";
import { chatOf } from "turnwise-practice/internal/traces/formats/messages";
import { trl } from "turnwise-practice/internal/traces/formats/trl";
import { verifiers } from "turnwise-practice/internal/traces/formats/verifiers";
import type { StoredTurn } from "turnwise-practice/internal/traces/trace";

describe("the scored data of Atropos", () => {
  it("is a line of numbers over all tokens, where masked ones are -100, 1 in log-probs and 0 in advantages", () => {
    const turn = { observation: "", tokens: [7, 8], rolloutLogProb: [-0.5, -0.25], advantage: [1, 2] };
    const one = { group: "0", reward: 1, truncated: false, extra: {} };
    const group = [
      { ...one, id: "0.0", turns: [{ ...turn, info: { context: [5], after: [9] } }] },
      // Nothing comes before this one's first turn.
      { ...one, id: "0.1", turns: [{ ...turn, info: { context: [] } }] },
    ];
    const record = atropos.write(group);
    assert.deepEqual(record, {
      tokens: [
        [5, 7, 8, 9],
        [7, 8],
      ],
      masks: [
        [-100, 7, 8, -100],
        [7, 8],
      ],
      scores: [1, 1],
      inference_logprobs: [
        [1, -0.5, -0.25, 1],
        [-0.5, -0.25],
      ],
      advantages: [
        [0, 1, 2, 0],
        [1, 2],
      ],
    });
    assert.deepEqual(atropos.read(record, 0), group);
  });
});

describe("a chat", () => {
  it("answers a turn that called a tool as the tool, and any other one as the user", () => {
    const calls = [{ function: { name: "add" } }];
    const turn = (observation: string, info: StoredTurn["info"] = {}): StoredTurn => ({
      observation,
      tokens: ["x"],
      info,
    });
    const roles = (...turns: StoredTurn[]): string[] =>
      chatOf({ id: "a", group: "g", turns, reward: 0, truncated: false, extra: {} }, "chats").map(
        ({ role }) => role,
      );
    assert.deepEqual(roles(turn("q", { tool_calls: calls }), turn("4")), [
      "user",
      "assistant",
      "tool",
      "assistant",
    ]);
    assert.deepEqual(roles(turn("q"), turn("more")), ["user", "assistant", "user", "assistant"]);
  });
});

describe("a list of a stored trajectory", () => {
  it("is refused where it is none or of another length", () => {
    assert.deepEqual(listOf([1, 2], "masks", "record 3", 2), [1, 2]);
    for (const [value, is] of [
      [[1], "a list of 1"],
      ["x", "string"],
      [undefined, "undefined"],
    ] as const) {
      assert.throws(() => listOf(value, "masks", "record 3", 2), {
        name: "TypeError",
        message: `Cannot read a trajectory: masks must be a list of 2, but record 3 has ${is}.`,
      });
    }
  });
});

describe("the completions of TRL", () => {
  it("keep a prompt of messages as messages, and take one that holds answers as something that was said", () => {
    const completion = [{ role: "assistant", content: "4" }];
    const turnsOf = (
      prompt: readonly { role: string; content: string }[],
    ): readonly (readonly [string, string])[] =>
      trl
        .read({ step: 1, prompt, completion, reward: 1, advantage: 0 }, 0)[0]!
        .turns.map(({ observation, tokens }) => [observation, tokens.join("")]);
    const [ask, answer, again] = [
      { role: "user", content: "1 + 1?" },
      { role: "assistant", content: "2" },
      { role: "user", content: "2 + 2?" },
    ];
    assert.deepEqual(turnsOf([ask!]), [["1 + 1?", "4"]]);
    // The answer in the prompt is no turn: the policy did not write it.
    assert.deepEqual(turnsOf([ask!, answer!, again!]), [["1 + 1?\n2\n2 + 2?", "4"]]);
  });
});

describe("the episodes of verifiers", () => {
  it("are told by a task and by traces, both of them", () => {
    assert.equal(verifiers.is({ task: "sum", traces: [] }), true);
    for (const record of [{ task: "sum" }, { traces: [] }, { task: "sum", traces: "none" }]) {
      assert.equal(verifiers.is(record), false);
    }
  });

  it("are one group for each task, where no group is named: by its key, its hash or its data", () => {
    const groupOf = (task: unknown): string | undefined => {
      const written = verifiers.write([
        {
          id: "0",
          group: "g",
          turns: [{ observation: "", tokens: [1], info: {} }],
          reward: 0,
          truncated: false,
          extra: {},
        },
      ]);
      const { group: _group, ...rest } = written as { group: unknown };
      return verifiers.read({ ...rest, task }, 0)[0]?.group;
    };
    assert.equal(groupOf({ key: "k", hash: "h" }), "k");
    assert.equal(groupOf({ hash: "h" }), "h");
    assert.equal(groupOf({ data: { a: 1 } }), '{"a":1}');
    assert.equal(groupOf("sum"), '"sum"');
  });
});
