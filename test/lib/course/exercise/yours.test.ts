// Uses internals of turnwise-course.
import assert from "node:assert/strict";
import { pieceNames, yours } from "turnwise-course";
import { pieces } from "turnwise-course/internal/exercise/pieces";

type Anything = (...args: never[]) => unknown;

/** What `yours` prints and returns. */
function tried(name: string, answer: unknown): { said: string; used: Anything } {
  const { log } = console;
  const lines: string[] = [];
  console.log = (...words: unknown[]) => lines.push(words.join(" "));
  try {
    const used = (yours as unknown as (name: string, answer: unknown) => Anything)(name, answer);
    return { said: lines.join("\n"), used };
  } finally {
    console.log = log;
  }
}

const center = (rewards: readonly number[]): number[] => {
  const mean = rewards.reduce((sum, x) => sum + x, 0) / rewards.length;
  return rewards.map((x) => x - mean);
};

describe("yours()", () => {
  it("uses a line that is right", () => {
    const { said, used } = tried("center", center);
    assert.equal(said, "center: right. The cells below use your line.");
    assert.equal(used, center);
  });

  for (const [title, name, answer, words] of [
    ["nothing written", "center", () => undefined, /not yet\. Nothing is returned yet\./],
    ["no function", "center", 3, /It must be a function, got number\./],
    ["null", "center", null, /It must be a function, got null\./],
    ["a line that throws", "kl", () => [].at(1)!["x"], /it throws "Cannot read/],
    ["a promise", "lift", () => Promise.reject(new Error("later")), /it must return a number\./],
    ["a text", "lift", () => "4", /it must return a number\./],
    ["no number", "lift", () => NaN, /it returns NaN, and 4 is right\./],
    ["a list that is too short", "gains", () => [1], /it must return 2 numbers, got 1\./],
    ["a number for a list", "gains", () => 1, /it must return a list of numbers\./],
    ["a change of the rewards", "center", (x: number[]) => x.fill(0), /It changes what it was given/],
    ["a known mistake", "k3", (r: number) => -Math.log(r), /That is k1, the log-ratio alone\./],
    // The mean of 1, 0, 0 and 1 is .5, so that only the second try shows the mistake: the mean of 1, -1 and .5 is 1/6.
    [
      "an unknown mistake",
      "center",
      (r: number[]) => r.map((x) => x - 0.5),
      /For \[1, −1, 0\.5\] it returns \[0\.5, −1\.5, 0\], and \[0\.833, −1\.17, 0\.333\] is right\./,
    ],
  ] as const)
    it(`says what is wrong with ${title}, and uses the lesson's own`, () => {
      const { said, used } = tried(name, answer);
      assert.match(said, words);
      assert.match(said, /Until then, the cells below use the lesson's own line\.$/);
      assert.equal(used, pieces[name].ours);
    });

  it("takes lists and typed arrays, as the lessons have both", () => {
    const { used } = tried("center", undefined);
    assert.deepEqual([...(used(...([new Float64Array([1, 0])] as never[])) as number[])], [0.5, -0.5]);
  });

  it("does not judge a line that leans on a cell which has failed since", () => {
    const key = Symbol.for("turnwise.stale");
    Object.assign(globalThis, { [key]: ["mean"] });
    try {
      const { said, used } = tried("center", center);
      assert.match(said, /The cell that defines mean failed when it last ran/);
      assert.equal(used, pieces.center.ours);
    } finally {
      Object.assign(globalThis, { [key]: [] });
    }
  });

  it("refuses a name that no line has", () => {
    assert.throws(() => tried("cente", center), /the name must be one of blindGuess, .*, got "cente"/);
    assert.throws(() => tried("toString", center), RangeError);
  });

  for (const name of pieceNames)
    it(`${name}: names each common mistake, and tells it from what is right`, () => {
      const { ours, mistakes } = pieces[name];
      assert.match(tried(name, ours).said, /: right\./);
      for (const [sentence, run] of mistakes) assert.ok(tried(name, run).said.includes(sentence), sentence);
    });
});
