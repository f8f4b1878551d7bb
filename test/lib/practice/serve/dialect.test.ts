// Uses internals of turnwise-practice.
import assert from "node:assert/strict";
import { make, type EnvSpec } from "turnwise";
import { foreignDialect, type ForeignWorld } from "turnwise-practice/internal/serve/client/dialect";
import { TurnReader } from "turnwise-practice/internal/serve/world/turnReader";

describe("the words of a server that is not turnwise's", () => {
  const world: ForeignWorld = {
    words: ["up", "down", "stop"],
    maxTurns: 3,
    maxTokens: 2,
    endWord: "stop",
    action: (words) => ({ moves: words }),
    text: ({ told }) => String(told),
  };
  const dialect = (changes: Partial<ForeignWorld> = {}) =>
    foreignDialect("guessing env", "guess", { ...world, ...changes });

  it("make a world of tokens: its turns are what `action` makes of their words, without the word that ends one", () => {
    const { spec, action } = dialect();
    assert.deepEqual(
      [spec.id, spec.vocabulary, spec.endToken, spec.maxTurns, spec.maxTokens],
      ["guessingenv-v0", ["up", "down", "stop"], 2, 3, 2],
    );
    assert.deepEqual(action([1, 2]), { moves: ["down"] });
    assert.equal("endToken" in dialect({ endWord: undefined } as never).spec, false);
  });

  it("read an observation by its words, or byte by byte", () => {
    // Words begin after the three of the agent; the last one stands for any that is not known.
    assert.deepEqual(dialect({ observationWords: ["low", "high"] }).observe({ told: "high low  odd" }), {
      text: "high low  odd",
      tokens: [4, 3, 5],
    });
    // "A" is byte 65, and "é" the bytes 195 and 169.
    assert.deepEqual(dialect().observe({ told: "Aé" }), { text: "Aé", tokens: [68, 198, 172] });
    const { text: _text, ...plain } = world;
    assert.equal(foreignDialect("x", "y", plain).observe({ told: 1 }).text, '{"told":1}');
  });

  it("are refused where a word is there twice or the last one is none of them", () => {
    assert.throws(() => dialect({ words: ["up", "up"] }), {
      name: "RangeError",
      message: "Cannot read guessing env as a world: words must be one or more, each once, but there are 2.",
    });
    assert.throws(() => dialect({ endWord: "halt" }), {
      name: "RangeError",
      message: 'Cannot read guessing env as a world: endWord must be one of the words, got "halt".',
    });
  });
});

describe("a turn as text", () => {
  const reader = (spec: Partial<EnvSpec>): TurnReader =>
    new TurnReader({ ...make("Tiger-v0").spec, ...spec });

  it("may be written in any case, but for words that differ by it alone", () => {
    const read = reader({ vocabulary: ["Go", "a", "A"] });
    assert.deepEqual(read.read("gO"), { action: [0] });
    assert.deepEqual([read.read("a"), read.read("A")], [{ action: [1] }, { action: [2] }]);
  });

  it("is answered with at most forty of the words that it might have had", () => {
    const words = (count: number): string[] => Array.from({ length: count }, (_, i) => `w${i}`);
    const said = (count: number): string =>
      (reader({ vocabulary: words(count) }).read("what?") as { unread: string }).unread;
    assert.equal(said(40), `the words of a turn must be among ${words(40).join(", ")}, got what?.`);
    assert.equal(said(41), `the words of a turn must be among ${words(40).join(", ")}, ..., got what?.`);
  });
});
