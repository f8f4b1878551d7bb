// Uses internals of turnwise/env.
import assert from "node:assert/strict";
import { checkEnv, createRng, GameEnv, make, registeredIds, type Game } from "turnwise";
import {
  isEnumerable,
  type Action,
  type EnumerableEnv,
  type Env,
  type ToolSpec,
} from "turnwise/internal/env/index";
import { allTurns } from "turnwise/internal/env/allTurns";
import { callsOf, isDeclared, usageOf, writeCall } from "turnwise/internal/env/tool/declared";

const ids = registeredIds().filter((id) => /^[A-Z]\w+-v0$/.test(id));

/** Settings that change what the tools of a world are. */
const settings: readonly (readonly [id: string, options?: object])[] = [
  ...ids.map((id) => [id] as const),
  ...["ApiChain-v0", "Calculator-v0", "Codebreaker-v0", "MemoryDesk-v0", "SearchQa-v0"].flatMap((id) => [
    [id, { level: 2, distractors: 2 }] as const,
    [id, { level: 3, tokenLimit: 10 }] as const,
  ]),
  ["Calculator-v0", { syntax: "digits" }],
  ["LookUp-v0", { passReward: 0.2, toolReliability: 0.8 }],
  ["FrozenLake-v0", { actionsPerTurn: 3 }],
];

/** Worlds without tools of their own: their words come with the game that is given as data. */
const without = ["MatrixChain-v0"];

const call = (env: EnumerableEnv, action: Action): unknown =>
  env.transition(env.start()[0]!.state, action)[0]!.info!.call;

const MOST = 1000;

/** Every turn of a small world; of a larger one, drawn turns and calls with one word changed. */
function* turns(env: EnumerableEnv): Iterable<Action> {
  const { vocabulary, maxTokens, endToken, tools } = env.spec;
  if (vocabulary.length ** maxTokens <= MOST) return yield* allTurns(env.spec);
  const rng = createRng(5);
  const calls = tools!.flatMap((tool) =>
    callsOf(tool, 20, rng).map((given) => (writeCall(env.spec, tool, given) as { action: Action }).action),
  );
  for (let i = 0; i < MOST; i++) {
    yield env.actionSpace.sample(rng);
    const good = calls[i % calls.length]!;
    const at = rng.below(good.length);
    const word = rng.below(vocabulary.length);
    const bad = [...good.slice(0, at), word, ...good.slice(at + 1)];
    const end = bad.indexOf(endToken ?? -1);
    yield end >= 0 ? bad.slice(0, end + 1) : bad;
  }
}

describe("the tools of a world", () => {
  it("are declared by every world whose words do not come as data", () => {
    assert.deepEqual(
      ids.filter((id) => !make(id).spec.tools),
      without,
    );
  });

  for (const [id, options] of settings.filter(([name]) => !without.includes(name))) {
    const title = options ? `${id} with ${JSON.stringify(options)}` : id;

    it(`${title} understands every call that it declares, and no turn that begins with none`, () => {
      const env = make(id, { ...options }) as Env as EnumerableEnv;
      assert.ok(isEnumerable(env));
      const rng = createRng(4);
      for (const tool of env.spec.tools!) {
        const words = new Set(tool.parameters.flatMap(({ values }) => values));
        for (const given of callsOf(tool, 40, rng)) {
          const written = writeCall(env.spec, tool, given);
          assert.ok("action" in written, `${usageOf(tool)} with ${JSON.stringify(given)}`);
          assert.ok(env.actionSpace.contains(written.action), usageOf(tool));
          assert.ok(isDeclared(env.spec, written.action));
          assert.notEqual(call(env, written.action), "malformed", JSON.stringify(given));
          for (const text of Object.values(given))
            for (const word of String(text).split(" ")) words.delete(word);
        }
        assert.deepEqual([...words], [], `each value of ${usageOf(tool)} was tried`);
      }
      for (const action of turns(env)) {
        if (isDeclared(env.spec, action)) continue;
        const words = action.map((token) => env.spec.vocabulary[token]!);
        // What no calculator can read is the error of a program that was called.
        if (options && "syntax" in options && /^(THINK|CALL)/.test(words[0]!)) {
          assert.match(env.transition(env.start()[0]!.state, action)[0]!.observation.text, /^error: /);
          continue;
        }
        // ToolChain takes an answer by any word, and any but a value is a wrong one.
        if (id === "ToolChain-v0" && words[1] === "ANSWER") continue;
        assert.equal(call(env, action), "malformed", words.join(" "));
      }
    });
  }

  const calls = (id: string, options = {}): readonly string[] => make(id, options).spec.tools!.map(usageOf);

  it("are named with what each argument means", () => {
    assert.deepEqual(calls("ApiChain-v0"), [
      "VAULT <app>",
      "LOGIN <app> <password>",
      "CONTACT <person>",
      "DEBT <person>",
      "SEND <account> <amount>",
      "BLOCK <person>",
      "SUBMIT",
    ]);
    assert.deepEqual(make("ApiChain-v0").spec.tools![2], {
      name: "CONTACT",
      about: "Shows the account of a person.",
      parameters: [{ name: "person", values: ["ann", "bob"] }],
    });
    assert.deepEqual(calls("MemoryDesk-v0"), ["ADD", "UPDATE", "DELETE <key>", "NOOP"]);
    assert.deepEqual(calls("SearchQa-v0", { distractors: 1 }), [
      "SEARCH <entity>",
      "NEXT",
      "ANSWER <entity>",
      "CLOCK",
    ]);
    assert.deepEqual(calls("Codebreaker-v0"), [
      "RUN count <code>",
      "RUN has <digit>",
      "RUN less <place> <digit>",
      "SUBMIT <code>",
    ]);
    assert.deepEqual(calls("Calculator-v0", { syntax: "digits" }), [
      "THINK <expression>",
      "CALL <expression>",
      "ANSWER <number>",
    ]);
    assert.deepEqual(calls("ToolChain-v0"), ["um SEARCH <question>", "um LOOKUP <key>", "um ANSWER <value>"]);
    assert.deepEqual(calls("SubGoals-v0"), ["KEEP LEFT <action>", "SWITCH <end> <action>"]);
  });

  it("are written with spaces or without where an argument has several words", () => {
    const { spec } = make("Calculator-v0", { syntax: "digits" });
    const write = (name: string, given: object): string => {
      const written = writeCall(
        spec,
        spec.tools!.find((tool) => tool.name === name)!,
        { ...given },
      );
      return "unread" in written ? written.unread : written.action.map((v) => spec.vocabulary[v]).join(" ");
    };
    assert.equal(write("CALL", { expression: "3^17 mod 41" }), "CALL 3 ^ 1 7 mod 4 1 END");
    assert.equal(write("CALL", { expression: " 3 ^ 1 7mod4 1 " }), "CALL 3 ^ 1 7 mod 4 1 END");
    assert.equal(write("ANSWER", { number: 12 }), "ANSWER 1 2 END");
    assert.equal(
      write("ANSWER", { number: "12345" }),
      "number of ANSWER must be 1 to 4 of the words 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, got 12345.",
    );
  });

  it("name the argument that is missing, unknown or wrong, and the closest valid name", () => {
    const { spec } = make("ApiChain-v0");
    const write = (name: string, given: object): unknown =>
      writeCall(
        spec,
        spec.tools!.find((tool) => tool.name === name)!,
        { ...given },
      );
    assert.deepEqual(write("CONTACT", {}), {
      unread: "CONTACT must have person, one of ann, bob, got none.",
    });
    assert.deepEqual(write("CONTACT", { persn: "ann" }), {
      unread: 'CONTACT must have only person, got persn.\nDid you mean "person"?',
    });
    assert.deepEqual(write("CONTACT", { person: "anna" }), {
      unread: 'person of CONTACT must be one of ann, bob, got anna.\nDid you mean "ann"?',
    });
    assert.deepEqual(write("CONTACT", { person: ["ann"] }), {
      unread: 'person of CONTACT must be one of ann, bob, got ["ann"].',
    });
    assert.deepEqual(write("SUBMIT", { arg1: "pay" }), {
      unread: "SUBMIT must have no arguments, got arg1.",
    });
  });
});

/** `BET low|high` or `STAY`, and END; whatever else is written is malformed. */
const bets = (tools: readonly ToolSpec[] | undefined, endToken = true, call = true): Game<number> => {
  const vocabulary = ["BET", "STAY", "low", "high", "END"];
  return {
    spec: {
      id: "Bets-v0",
      skill: "betting",
      vocabulary,
      observationVocabulary: ["table"],
      maxTurns: 1,
      maxTokens: 2,
      ...(endToken && { endToken: 4 }),
      ...(tools && { tools }),
      options: {},
    },
    start: () => [
      { probability: 1, state: 0, observation: { tokens: [5], text: "table" }, reward: 0, terminated: false },
    ],
    transition: (state, action) => {
      const [head, value] = action.map((token) => vocabulary[token]!);
      const isGood = head === "STAY" || (head === "BET" && ["low", "high"].includes(value!));
      return [
        {
          probability: 1,
          state,
          observation: { tokens: [5], text: isGood ? "done" : "error: no such call" },
          reward: head === "BET" ? 1 : 0,
          terminated: true,
          ...(call && { info: { call: isGood ? "tool" : "malformed" } as const }),
        },
      ];
    },
    render: () => "",
  };
};
const stay: ToolSpec = { name: "STAY", about: "Waits.", parameters: [] };
const bet: ToolSpec = {
  name: "BET",
  about: "Bets.",
  parameters: [{ name: "side", values: ["low", "high"] }],
};

describe("checkEnv() of a world with tools", () => {
  it("accepts one that understands what it declares, and one that declares nothing", () => {
    checkEnv(new GameEnv(bets([stay, bet])));
    checkEnv(new GameEnv(bets([stay, bet], true, false)));
    checkEnv(new GameEnv(bets(undefined)));
  });

  const refused: readonly (readonly [promise: string, tools: readonly ToolSpec[], message: RegExp])[] = [
    [
      "a declared call that is malformed",
      [stay, { ...bet, parameters: [{ name: "side", values: ["low", "high", "STAY"] }] }],
      /declares "BET STAY", which is malformed: error: no such call/,
    ],
    ["a call that nothing declares", [bet], /understands "STAY \w+", which no tool .* declares/],
    [
      "a value that nothing declares",
      [stay, { ...bet, parameters: [{ name: "side", values: ["low"] }] }],
      /understands "BET high", which no tool/,
    ],
    [
      "a value outside the vocabulary",
      [stay, { ...bet, parameters: [{ name: "side", values: ["low", "hihg"] }] }],
      /side of the tool BET may be "hihg" \([^]*Did you mean "high"\?\)/,
    ],
    [
      "a word outside the vocabulary",
      [stay, { ...bet, name: "WAGER" }],
      /the turn of the tool WAGER has the word "WAGER"/,
    ],
    ["a name that no model can call", [{ ...stay, name: "stay put" }, bet], /has the name "stay put"/],
    ["a name that OpenEnv keeps", [{ ...stay, name: "reset", turn: ["STAY"] }, bet], /has the name "reset"/],
    ["a name twice", [stay, { ...bet, name: "STAY" }], /has STAY twice/],
    ["a tool without a sentence", [{ ...stay, about: " " }, bet], /the tool STAY has no sentence/],
    [
      "a parameter that its turn leaves out",
      [stay, { ...bet, turn: ["BET", "low"] }],
      /has the parameters \(none\) \(each of its parameters must be there once: side\)/,
    ],
    [
      "a call that is too long",
      [stay, { ...bet, parameters: [{ name: "side", values: ["low", "high"], words: [1, 2] }] }],
      /a call of the tool BET has up to 3 words \(spec.maxTokens allows 2\)/,
    ],
    ["an empty list", [], /spec.tools is empty/],
  ];
  for (const [promise, tools, message] of refused) {
    it(`refuses ${promise}`, () => {
      assert.throws(() => checkEnv(new GameEnv(bets(tools))), { name: "EnvContractError", message });
    });
  }

  it("refuses a call shorter than every turn, where no word ends one", () => {
    const side = { parameter: "side" };
    assert.throws(() => checkEnv(new GameEnv(bets([stay, bet], false))), {
      message: /a call of the tool STAY may have 1 words \(.* fill its places with \{ filler: "a word" \}\)/,
    });
    checkEnv(
      new GameEnv(
        bets(
          [
            { ...stay, turn: ["STAY", { filler: "low" }] },
            { ...bet, turn: ["BET", side] },
          ],
          false,
        ),
      ),
    );
  });

  it("lets a world refuse a call that it understands, by info.call", () => {
    const game = bets([stay, bet]);
    const shut: Game<number> = {
      ...game,
      transition: (state, action) =>
        game.transition(state, action).map((outcome) => ({
          ...outcome,
          observation: { tokens: [5], text: "error: the table is shut" },
        })),
    };
    checkEnv(new GameEnv(shut));
  });
});
