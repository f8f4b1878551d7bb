import { power } from "../../base/elementary/power";
import { data, fraction, group, oneOf, type Static } from "../../schema";
import type { Action, Observation, ToolSpec } from "../env";
import { GameEnv } from "../game";
import { END, ToolGrammar, type Call, type CallForm, type Parsed } from "../tool/grammar";
import { distractorTools, readToolOptions, toolFields, type ToolOptions } from "../tool/options";
import { sharedTokens, toolGame, type Effect, type ToolState } from "../tool/toolGame";
import { evaluate } from "./expression";
import {
  CALCULATOR_LEVELS,
  calculatorTasks,
  compute,
  expectCalculatorTasks,
  OPERATORS,
  stepsOf,
  type CalculatorTask,
  type Operator,
} from "./tasks";
import { world } from "../world";

const schema = group({
  ...toolFields(CALCULATOR_LEVELS),
  syntax: oneOf(["registers", "digits"], {
    help:
      '"registers": the question lies in registers x, y and m that the agent cannot read, and a call names the operator only; ' +
      '"digits": the question is shown, and calls are written out, as CALL 3 ^ 1 7 mod 4 1.',
  }),
  thinkNoise: fraction(0.2, { help: "Probability that one step of thinking goes wrong." }),
  thinkCost: fraction(0.02, { help: "Subtracted from the reward for every step of thinking." }),
  callCost: fraction(0, { help: "Subtracted from the reward for every calculation by the calculator." }),
  tasks: data<readonly CalculatorTask[]>([], "a list of tasks", Array.isArray, {
    help: "The tasks to draw from; empty for generated ones.",
  }),
});

export type CalculatorOptions = Static<typeof schema>;

const DIGITS = Array.from({ length: 10 }, (_, i) => String(i));

interface Sheet {
  /** Index of the task. */
  readonly task: number;
  /** The right result was shown. */
  readonly computed: boolean;
  /** Answer that was handed in. */
  readonly answer: number | null;
}

export const calculatorWorld = world({
  id: "Calculator-v0",
  about: "Modular arithmetic, by noisy thinking or with an exact calculator.",
  skill: "tool use: calculate with an exact tool instead of costly, noisy thinking",
  levels: CALCULATOR_LEVELS,
  options: schema,
  cheapToEnumerate: false,
  small: { taskCount: 8, turnLimit: 2, thinkCost: 0.05 },
  policy: { syntaxPrior: 3 },
  make: (options) => calculator(options),
});

/**
 * Calculator-v0: think, or call the calculator.
 *
 * The question is `x operator y mod m`, such as 3^17 mod 41. THINK works it out step by step, and every multiplication may go
 * wrong; CALL is exact.
 *
 * ```
 * P(THINK is right) = (1 - thinkNoise)^steps,   steps = squarings and multiplications of x^y; 1 for x*y and x+y
 * ```
 *
 * With `syntax: "registers"` the numbers are hidden, so that an answer has to be computed and cannot be learned by heart; the
 * optimum is then exact by enumeration. With `"digits"` the agent writes whole expressions; a scripted expert scores 1.
 *
 * - **Action space:** a turn is one call, closed by END: THINK or CALL with the expression, or ANSWER with a value.
 * - **Observation:** the question; the result of THINK or CALL, of which a wrong one is any other residue; an error after a
 *   malformed call, which uses up a turn.
 * - **Reward:** 1 for ANSWER if the verifier, which computes the value itself, agrees; every step of THINK costs `thinkCost`, every
 *   CALL `callCost`, every turn `turnCost`. `reward` chooses another payment.
 * - **Start:** each task is equally likely.
 * - **End:** at ANSWER, or at the turn limit.
 *
 * @see arXiv 2604.27859 for the worked example 3^17 mod 41 = 3
 */
export function calculator(options: Partial<CalculatorOptions> = {}): GameEnv<ToolState<Sheet>> {
  const { id, skill } = calculatorWorld;
  const o = readToolOptions(id, schema, options);
  expectCalculatorTasks(id, o.tasks);
  const tasks = o.tasks.length > 0 ? o.tasks : calculatorTasks(o.level, o.taskCount);
  const language = o.syntax === "registers" ? registers(o, tasks) : digits(o);
  const { vocabulary } = language;
  const maxSteps = Math.max(...tasks.map(({ steps }) => steps));
  const observationVocabulary = [
    "question",
    "result",
    ...(o.syntax === "registers" ? Array.from({ length: maxSteps + 1 }, (_, k) => `steps=${k}`) : []),
  ];
  const V = vocabulary.length;
  const [QUESTION, RESULT] = [V, V + 1];
  const shared = sharedTokens(vocabulary, observationVocabulary);

  const question = (task: CalculatorTask): Observation =>
    o.syntax === "digits"
      ? {
          tokens: [
            QUESTION,
            ...language.write(`${task.x}${task.operator}${task.y}`),
            ...language.writeMod(task.modulus),
          ],
          text: `question: ${task.x} ${task.operator} ${task.y} mod ${task.modulus} = ?`,
        }
      : {
          tokens: [QUESTION, vocabulary.indexOf(task.operator), V + 2 + task.steps],
          text: `question: x ${task.operator} y mod m = ? (${task.steps} steps by hand)`,
        };

  const call = (sheet: Sheet, { tool, values }: Call): readonly Effect<Sheet>[] => {
    const task = tasks[sheet.task]!;
    if (tool === "ANSWER") {
      const answer = Number(values.join(""));
      return [
        {
          state: { ...sheet, answer },
          observation: { tokens: [shared.ok], text: "handed in" },
          score: answer === task.answer ? 1 : 0,
        },
      ];
    }
    const done = language.calculate(task, values);
    if (typeof done === "string") {
      return [
        { state: sheet, observation: { tokens: [shared.error], text: `error: ${done}` }, refused: true },
      ];
    }
    const { value, steps, modulus } = done;
    const show = (result: number, probability: number): Effect<Sheet> => ({
      probability,
      state: { ...sheet, computed: sheet.computed || result === task.answer },
      observation: { tokens: [RESULT, ...language.write(String(result))], text: `result: ${result}` },
      claim: result === value,
      cost: tool === "CALL" ? o.callCost : o.thinkCost * steps,
    });
    if (tool === "CALL") return [show(value, 1)];
    const right = power(1 - o.thinkNoise, steps);
    const residues = modulus ?? Math.max(2, value + 1);
    return Array.from({ length: residues }, (_, r) =>
      show(r, r === value ? right : (1 - right) / (residues - 1)),
    ).filter(({ probability }) => probability! > 0);
  };

  const gold = tasks.map(({ answer }) => ({
    before: [vocabulary.indexOf("ANSWER")],
    answer: language.write(String(answer)),
  }));

  return new GameEnv(
    toolGame<Sheet>({
      id,
      skill,
      vocabulary,
      observationVocabulary,
      options: o,
      turnLimit: o.turnLimit || 3,
      longestCall: language.longestCall,
      forms: language.forms,
      tools: language.tools,
      tasks: tasks.map((task, i) => ({
        id: task.id,
        level: task.level,
        state: { task: i, computed: false, answer: null },
        observation: question(task),
      })),
      milestones: [
        { id: "computed", weight: 0.5 },
        { id: "answered", weight: 0.5, dependsOn: ["computed"] },
      ],
      parse: language.parse,
      call,
      gold: (sheet) => gold[sheet.task]!,
      holding: (sheet) => [
        ...(sheet.computed ? ["computed"] : []),
        ...(sheet.answer === tasks[sheet.task]!.answer ? ["answered"] : []),
      ],
      render: ({ task: i, answer }) => {
        const task = tasks[i]!;
        return `hidden: ${task.x} ${task.operator} ${task.y} mod ${task.modulus} = ${task.answer}; answer ${answer ?? "none"}`;
      },
    }),
  );
}

/** Notation of questions, calls and numbers. */
interface Language {
  readonly vocabulary: readonly string[];
  readonly longestCall: number;
  readonly forms: readonly CallForm[];
  readonly tools: readonly ToolSpec[];
  parse(action: Action): Parsed;
  calculate(
    task: CalculatorTask,
    values: readonly string[],
  ): { value: number; steps: number; modulus: number | undefined } | string;
  /** The tokens of a number, or of an expression in digits. */
  write(text: string): number[];
  writeMod(modulus: number): number[];
}

const ABOUT = {
  THINK: "Works it out by hand, which costs something for every step and may go wrong.",
  CALL: "Works it out with the calculator, which is always right.",
  ANSWER: "Answers the question, which ends the episode.",
};

function registers(o: ToolOptions, tasks: readonly CalculatorTask[]): Language {
  const residues = Array.from({ length: Math.max(...tasks.map(({ modulus }) => modulus)) }, (_, i) =>
    String(i),
  );
  const operator = { name: "operator", about: "between the registers x and y", values: OPERATORS };
  const grammar = new ToolGrammar([
    { name: "THINK", about: ABOUT.THINK, parameters: [operator] },
    { name: "CALL", about: ABOUT.CALL, parameters: [operator] },
    { name: "ANSWER", about: ABOUT.ANSWER, parameters: [{ name: "residue", values: residues }] },
    ...distractorTools(o.distractors),
  ]);
  return {
    vocabulary: grammar.vocabulary,
    longestCall: grammar.longest,
    forms: grammar.forms,
    tools: grammar.tools,
    parse: (action) => grammar.parse(action),
    calculate({ x, y, modulus }, [word]) {
      const by = word as Operator;
      return { value: compute(by, x, y, modulus), steps: stepsOf(by, y), modulus };
    },
    write: (text) => [grammar.token(text)],
    writeMod: () => [],
  };
}

/** CALL 19 ^ 31 mod 41 and its shorter forms, THINK likewise, and ANSWER with one to four digits. */
const digitForms: readonly CallForm[] = (() => {
  const numbers = [[DIGITS], [DIGITS, DIGITS]];
  const expressions = numbers.flatMap((x) =>
    numbers.flatMap((y) => numbers.map((m): CallForm => [...x, OPERATORS, ...y, ["mod"], ...m])),
  );
  const answers = [1, 2, 3, 4].map((length): CallForm => new Array<readonly string[]>(length).fill(DIGITS));
  return [
    ...expressions.map((form) => [["THINK", "CALL"], ...form]),
    ...answers.map((form) => [["ANSWER"], ...form]),
  ];
})();

/** Words of CALL 19 ^ 31 mod 41. */
const LONGEST_CALL = 9;

function digits(o: ToolOptions): Language {
  const expression = {
    name: "expression",
    about: "such as 3 ^ 17 mod 41",
    values: [...DIGITS, ...OPERATORS, "mod"],
    words: [1, LONGEST_CALL - 1],
  } as const;
  const distractors = distractorTools(o.distractors);
  const names = ["THINK", "CALL", "ANSWER", ...distractors.map(({ name }) => name)];
  const vocabulary = [...names, ...OPERATORS, "mod", ...DIGITS, END];
  const write = (text: string): number[] => [...text].map((letter) => vocabulary.indexOf(letter));
  return {
    vocabulary,
    longestCall: LONGEST_CALL,
    forms: [...digitForms, ...distractors.map(({ name }) => [[name]])],
    tools: [
      { name: "THINK", about: ABOUT.THINK, parameters: [expression] },
      { name: "CALL", about: ABOUT.CALL, parameters: [expression] },
      {
        name: "ANSWER",
        about: ABOUT.ANSWER,
        parameters: [{ name: "number", about: "at most 4 digits", values: DIGITS, words: [1, 4] }],
      },
      ...distractors,
    ],
    parse(action) {
      const [tool, ...rest] = action.map((token) => vocabulary[token]!);
      const values = rest.at(-1) === END ? rest.slice(0, -1) : rest;
      if (!names.includes(tool!)) return { error: "a turn must start with a tool" };
      if (tool === "ANSWER" && !/^\d{1,4}$/.test(values.join(""))) {
        return { error: "usage: ANSWER <number of at most 4 digits>", tool };
      }
      return { tool: tool!, values };
    },
    calculate: (_task, values) => evaluate(values),
    write,
    writeMod: (modulus) => [vocabulary.indexOf("mod"), ...write(String(modulus))],
  };
}
