import assert from "node:assert/strict";
import fc from "fast-check";
import { calculatorTasks, make, type EnumerableEnv, optimalReturn } from "turnwise";
import type { CalculatorTask } from "turnwise-course";
import { writeTurn } from "turnwise/internal/env/index";
import { evaluate, powMod, powSteps } from "turnwise/internal/env/calculator/expression";
import { promisesOfToolEnv } from "./battery";

const near = (actual: number, expected: number): void =>
  assert.ok(Math.abs(actual - expected) < 1e-9, `${actual} is not ${expected}`);

/** 3 + y mod 3 for y = 3, 4, 5: every residue once, and the other operators give 0 whatever y is. */
const threeSums = [0, 1, 2].map((r): CalculatorTask => ({
  id: `sum-${r}`,
  level: 1,
  x: 3,
  operator: "+",
  y: 3 + r,
  modulus: 3,
  answer: r,
  steps: 1,
}));
const optimum = (options: object): number =>
  optimalReturn(make("Calculator-v0", { tasks: threeSums, ...options })).J;

describe("Calculator-v0", function () {
  this.timeout(60_000);
  promisesOfToolEnv({
    id: "Calculator-v0",
    variants: [
      {},
      { level: 2, distractors: 4 },
      { level: 3, syntax: "digits" },
      { level: 1, syntax: "digits", distractors: 1 },
    ],
    expert: ({ observations }) => {
      const last = observations.at(-1)!.text;
      const result = /^result: (\d+)$/.exec(last)?.[1];
      const spell = (text: string): string => text.replace(/\d+/g, (digits) => [...digits].join(" "));
      const [, question] = /^question: (.*) = \?/.exec(observations[0]!.text)!;
      const digits = !question!.startsWith("x");
      if (result !== undefined) return `ANSWER ${digits ? spell(result) : result}`;
      return `CALL ${digits ? spell(question!) : question!.split(" ")[1]!}`;
    },
    milestones: [
      { id: "computed", weight: 0.5 },
      { id: "answered", weight: 0.5, dependsOn: ["computed"] },
    ],
    idle: "CLOCK",
    guess: "ANSWER 0",
    withoutCosts: { thinkCost: 0 },
  });

  it("the worked example: the calculator makes 3^17 mod 41 a 3, and the verifier agrees", () => {
    const [example] = calculatorTasks(3, 1);
    assert.deepEqual(example, {
      id: "calculator-3-0",
      level: 3,
      x: 3,
      operator: "^",
      y: 17,
      modulus: 41,
      answer: 3,
      steps: 5, // four squarings, one multiplication
    });
    const env = make("Calculator-v0", { tasks: [example], syntax: "digits" });
    env.reset({ seed: 0 });
    assert.equal(env.step(writeTurn(env.spec, "CALL 3 ^ 1 7 mod 4 1"))[0].text, "result: 3");
    assert.deepEqual(env.step(writeTurn(env.spec, "ANSWER 3")).slice(1, 3), [1, true]);
  });

  it("thinking is right with probability (1 - noise)^steps, costs by the step, and is wrong uniformly", () => {
    const [example] = calculatorTasks(3, 1);
    const env = make("Calculator-v0", {
      tasks: [example],
      thinkNoise: 0.1,
      thinkCost: 0.02,
    }) as EnumerableEnv;
    const outcomes = env.transition(env.start()[0]!.state, writeTurn(env.spec, "THINK ^"));
    assert.equal(outcomes.length, 41);
    for (const { probability, reward, observation } of outcomes) {
      near(probability, observation.text === "result: 3" ? 0.9 ** 5 : (1 - 0.9 ** 5) / 40);
      near(reward, -0.1);
    }
  });

  it("the optimum by enumeration is what arithmetic says", () => {
    near(optimum({}), 1); // CALL, then ANSWER
    near(optimum({ turnCost: 0.05 }), 0.9);
    near(optimum({ callCost: 0.1 }), 0.9);
    // THINK once: .8 right, .02 paid. Thinking twice: agree and right .64, disagree with one right .32, of which
    // half is found: .8 again, for another .02.
    near(optimum({ callCost: 0.5 }), 0.78);
    near(optimum({ callCost: 0.9, thinkCost: 0.6 }), 1 / 3); // a blind answer
    near(optimum({ callCost: 0.9, thinkNoise: 0, thinkCost: 0.2 }), 0.8); // thinking is exact
    near(optimum({ callCost: 0.9, turnLimit: 1 }), 1 / 3); // no time to compute
  });

  it("whole expressions are too many to enumerate, and enumeration says so", () => {
    assert.throws(() => optimalReturn(make("Calculator-v0", { syntax: "digits" })), {
      name: "RangeError",
      message:
        "Cannot list the turns of Calculator-v0: there must be at most 500000, but 18 tokens make 18^9.",
    });
  });

  it("an expression equals the same in big integers", () => {
    const number = fc.integer({ min: 0, max: 999 });
    fc.assert(
      fc.property(number, number, number, number, fc.integer({ min: 1, max: 9999 }), (a, b, c, d, m) => {
        const text = `${a} * ${b} + ${c} ^ ${d} mod ${m}`;
        const words = [...text.replaceAll(" ", "").replace("mod", "%")].map((x) => (x === "%" ? "mod" : x));
        const expected = (BigInt(a) * BigInt(b) + BigInt(c) ** BigInt(d)) % BigInt(m);
        const result = evaluate(words);
        assert.ok(typeof result !== "string", String(result));
        assert.equal(BigInt(result.value), expected);
        assert.equal(BigInt(powMod(c, d, m)), BigInt(c) ** BigInt(d) % BigInt(m));
      }),
      { seed: 1, numRuns: 200 },
    );
  });

  it("says what it cannot calculate", () => {
    const cases: [string, string][] = [
      ["", "SyntaxError: cannot read word 1"],
      ["3 ^", "SyntaxError: cannot read word 3"],
      ["3 + * 2", "SyntaxError: cannot read word 3"],
      ["3 mod", "SyntaxError: mod takes one number, at the end"],
      ["3 mod 2 mod 2", "SyntaxError: mod takes one number, at the end"],
      ["3 mod 0", "ZeroDivisionError: modulo by zero"],
      ["1 2 3 4 5", "OverflowError: a number has at most 4 digits"],
      ["9 ^ 9 9 9 9", "OverflowError: results without mod stay below 1000000"],
    ];
    for (const [text, message] of cases) assert.equal(evaluate(text ? text.split(" ") : []), message);
  });

  it("square-and-multiply takes floor(log2 e) squarings and a multiplication per further set bit", () => {
    // 1: none; 2: one squaring; 3 = 11b: one and one; 17 = 10001b: four and one; 31 = 11111b: four and four.
    assert.deepEqual([0, 1, 2, 3, 17, 31].map(powSteps), [0, 0, 1, 2, 5, 8]);
  });

  it("what the agent sees does not tell the answer: the best blind agent is right one time in four, or eight", () => {
    const blind = (level: number): number => optimalReturn(make("Calculator-v0", { level, turnLimit: 1 })).J;
    near(blind(1), 1 / 4);
    assert.ok(blind(2) <= 1 / 4 && blind(3) <= 1 / 8, `${blind(2)}, ${blind(3)}`);
  });

  it("refuses a task whose answer is wrong", () => {
    assert.throws(() => make("Calculator-v0", { tasks: [{ ...threeSums[0]!, answer: 2 }] }), {
      name: "RangeError",
      message: 'Cannot make Calculator-v0: the answer of "sum-0" must be 0, got 2.',
    });
  });
});
