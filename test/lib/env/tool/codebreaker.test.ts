import assert from "node:assert/strict";
import { make, type EnumerableEnv, optimalReturn } from "turnwise";
import { randomReturn } from "turnwise/exact";
import { codebreakerTasks, writeTurn } from "turnwise/internal/env/index";
import { CODEBREAKER_MILESTONES } from "turnwise/internal/env/codebreaker/codebreaker";
import { interpret } from "turnwise/internal/env/codebreaker/interpreter";
import { play, promisesOfToolEnv } from "./battery";
import type { Seen } from "../transcript";

/** Halves the range of every place with `less` until one digit is left. */
function expert({ observations, actions }: Seen): string {
  const [, length, digits] = /code of (\d) digits below (\d)/.exec(observations[0]!.text)!.map(Number);
  const known: number[] = [];
  let asked = 0;
  while (known.length < length!) {
    let [low, high] = [0, digits!];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (asked === actions.length) return `RUN less ${known.length} ${middle}`;
      if (observations[++asked]!.text === "result: True") high = middle;
      else low = middle;
    }
    known.push(low);
  }
  return `SUBMIT ${known.join(" ")}`;
}

describe("Codebreaker-v0", function () {
  this.timeout(60_000);
  promisesOfToolEnv({
    id: "Codebreaker-v0",
    variants: [{}, { level: 2, distractors: 2 }, { level: 3, taskCount: 60 }],
    expert,
    milestones: CODEBREAKER_MILESTONES,
    idle: "RUN has 0",
    guess: "SUBMIT 0 0",
  });

  it("a line prints what is true of the code", () => {
    const print = (line: string): unknown =>
      (interpret(line.split(" "), [2, 0, 2], 4) as { printed: string }).printed;
    assert.equal(print("count 2 0 2"), "3");
    assert.equal(print("count 2 2 2"), "2");
    assert.equal(print("count 0 2 0"), "0");
    assert.deepEqual([print("has 0"), print("has 1")], ["True", "False"]);
    assert.deepEqual([print("less 1 1"), print("less 0 2"), print("less 2 3")], ["True", "False", "True"]);
  });

  it("a line that does not run says why", () => {
    const cases: [string, string][] = [
      ["", "SyntaxError: nothing to run"],
      ["3 less", "SyntaxError: a line starts with count, has or less"],
      ["count 1 has", "TypeError: count() takes digits, not 'has'"],
      ["count 1", "TypeError: count() takes 2 arguments but 1 were given"],
      ["has 3", "ValueError: digit 3 is not in range(3)"],
      ["less 2 1", "IndexError: code index out of range"],
    ];
    for (const [line, error] of cases) {
      assert.deepEqual(interpret(line ? line.split(" ") : [], [1, 2], 3), { error });
      const env = make("Codebreaker-v0");
      env.reset({ seed: 0 });
      const turn = env.step(writeTurn(env.spec, `RUN ${line}`.trim()));
      assert.equal(turn[0].text, `error: ${error}`);
      const name = turn[0].tokens[1]! - env.spec.vocabulary.length;
      assert.equal(env.spec.observationVocabulary[name], error.split(":")[0]);
    }
  });

  it("the optimum by enumeration is what arithmetic says", () => {
    const optimum = (options: object): number => optimalReturn(make("Codebreaker-v0", { ...options })).J;
    const near = (actual: number, expected: number): void =>
      assert.ok(Math.abs(actual - expected) < 1e-12, `${actual} is not ${expected}`);
    near(optimum({ turnLimit: 1 }), 1 / 9);
    // `count` splits the 9 codes into 4 + 4 + 1 by 0, 1 and 2 right places; one of each part is found: 3/9.
    near(optimum({ turnLimit: 2 }), 3 / 9);
    // Each part of 4 = 2 x 2 splits into 1 + 2 + 1 by a second `count`: 3 + 3 + 1 of 9.
    near(optimum({ turnLimit: 3 }), 7 / 9);
    near(optimum({ turnLimit: 4 }), 1);
    near(optimum({ turnLimit: 1, turnCost: 0.05 }), 1 / 9 - 0.05);
  });

  it("the random agent gets next to nothing", () => {
    // One turn: SUBMIT 1/10, two digits 1/10 each, of which 1 in 9 codes: P = 1/10 x 1/10 x 1/10 for the right ones.
    const env = make("Codebreaker-v0", { turnLimit: 1 }) as EnumerableEnv;
    assert.equal(env.spec.vocabulary.length, 10);
    assert.ok(Math.abs(randomReturn(env) - 1e-3) < 1e-15);
  });

  it("lists every code once, and the expert breaks all of them", () => {
    const codes = codebreakerTasks(3, 1000).map(({ code }) => code.join(""));
    assert.equal(new Set(codes).size, 625);
    const env = make("Codebreaker-v0", { level: 3, taskCount: 625 });
    for (let seed = 0; seed < 100; seed++) {
      assert.equal(play(env, seed, (seen) => writeTurn(env.spec, expert(seen))).total, 1);
    }
  });

  it("refuses a code with a digit out of range", () => {
    assert.throws(() => make("Codebreaker-v0", { tasks: [{ id: "x", level: 1, digits: 3, code: [3, 0] }] }), {
      name: "RangeError",
      message: /all codes must have one length .*, but "x" is 3 0 of 3 digits\.$/,
    });
  });
});
