import { data, group, type Static } from "../../schema";
import type { Action, Observation } from "../env";
import { GameEnv } from "../game";
import { END, type Call, type Parsed } from "../tool/grammar";
import { distractorTools, readToolOptions, toolFields } from "../tool/options";
import { sharedTokens, toolGame, type Effect, type ToolState } from "../tool/toolGame";
import { interpret } from "./interpreter";
import { CODEBREAKER_LEVELS, codebreakerTasks, expectCodebreakerTasks, type CodebreakerTask } from "./tasks";
import { world } from "../world";

const schema = group({
  ...toolFields(CODEBREAKER_LEVELS),
  tasks: data<readonly CodebreakerTask[]>([], "a list of tasks", Array.isArray, {
    help: "The tasks to draw from; empty for generated ones.",
  }),
});

export type CodebreakerOptions = Static<typeof schema>;

const FUNCTIONS = ["count", "has", "less"];
const ERRORS = ["SyntaxError", "TypeError", "ValueError", "IndexError"];

interface Session {
  readonly task: number;
  /** Number of programs that ran to their end: 0, 1, or 2 for more. */
  readonly ran: number;
}

export const codebreakerWorld = world({
  id: "Codebreaker-v0",
  about: "A hidden code, and an interpreter that runs small programs about it.",
  skill: "programs as questions: choose what to run, read errors, and stop when enough is known",
  levels: CODEBREAKER_LEVELS,
  options: schema,
  cheapToEnumerate: false,
  small: { taskCount: 3, turnLimit: 2 },
  policy: { syntaxPrior: 3 },
  make: (options) => codebreaker(options),
});

/**
 * Codebreaker-v0: write small programs, read what they print or why they fail, and guess a code.
 *
 * Codes have 2, 3 and 4 digits below 3, 4 and 5 at levels 1, 2 and 3, so 9, 64 and 625 of them. The default turn limit is
 * one more than a scripted expert needs for the worst code, who bisects every place with `less`; the optimum is 1.
 *
 * - **Action space:** a turn is one call, closed by END. `RUN line` gives a line to an interpreter that holds the hidden code:
 *   `count d1 .. dn` prints in how many places the code is d1 .. dn, `has d` whether d occurs, `less i d` whether code[i] < d.
 *   `SUBMIT d1 .. dn` hands in a guess. The vocabulary has one digit more than the code may have, so that ValueError occurs as well.
 * - **Observation:** what the line printed; for a line that does not run, the interpreter's error, with its name as a token.
 * - **Reward:** 1 for SUBMIT if the code is right, else 0; every turn costs `turnCost`. `reward` chooses another payment.
 * - **Start:** each code is equally likely.
 * - **End:** at SUBMIT, or at the turn limit.
 */
export function codebreaker(options: Partial<CodebreakerOptions> = {}): GameEnv<ToolState<Session>> {
  const { id, skill } = codebreakerWorld;
  const o = readToolOptions(id, schema, options);
  expectCodebreakerTasks(id, o.tasks);
  const tasks = o.tasks.length > 0 ? o.tasks : codebreakerTasks(o.level, o.taskCount);
  const { digits, code } = tasks[0]!;
  const n = code.length;
  const names = Array.from({ length: digits + 1 }, (_, digit) => String(digit));
  const distractors = distractorTools(o.distractors);
  const tools = ["RUN", "SUBMIT", ...distractors.map(({ name }) => name)];
  const vocabulary = [...tools, ...FUNCTIONS, ...names, END];
  const prints = Array.from({ length: n + 1 }, (_, count) => `printed=${count}`);
  const observationVocabulary = ["question", "True", "False", ...prints, ...ERRORS];
  const observed = (word: string): number => vocabulary.length + observationVocabulary.indexOf(word);
  const shared = sharedTokens(vocabulary, observationVocabulary);
  const known = names.slice(0, digits);
  const places = names.slice(0, n);
  const bisections = n * (32 - Math.clz32(digits - 1));

  const parse = (action: Action): Parsed => {
    const [tool, ...rest] = action.map((token) => vocabulary[token]!);
    const words = rest.at(-1) === END ? rest.slice(0, -1) : rest;
    if (!tools.includes(tool!)) return { error: "a turn must start with a tool" };
    if (tool === "SUBMIT") {
      const guess = words.slice(0, n);
      const complete = guess.length === n && guess.every((word) => names.includes(word));
      return complete ? { tool, values: guess } : { error: `usage: SUBMIT <${n} digits>`, tool };
    }
    if (tool !== "RUN") return { tool: tool!, values: [] };
    // Whether a line runs depends on the length of the code alone.
    const run = interpret(words, code, digits);
    if (!("error" in run)) return { tool, values: words };
    return { error: run.error, tool, observed: observed(run.error.slice(0, run.error.indexOf(":"))) };
  };

  const call = (before: Session, { tool, values }: Call): readonly Effect<Session>[] => {
    const hidden = tasks[before.task]!.code;
    if (tool === "SUBMIT") {
      const right = values.join() === hidden.join();
      return [
        {
          state: before,
          observation: { tokens: [shared.ok], text: "handed in" },
          score: right ? 1 : 0,
        },
      ];
    }
    const run = interpret(values, hidden, digits) as { printed: string };
    const word = run.printed.length === 1 ? `printed=${run.printed}` : run.printed;
    return [
      {
        state: { ...before, ran: Math.min(2, before.ran + 1) },
        observation: { tokens: [observed(word)], text: `result: ${run.printed}` },
      },
    ];
  };

  const question: Observation = {
    tokens: [observed("question")],
    text: `question: which code of ${n} digits below ${digits}?`,
  };

  return new GameEnv(
    toolGame<Session>({
      id,
      skill,
      vocabulary,
      observationVocabulary,
      options: o,
      turnLimit: o.turnLimit || bisections + 2,
      longestCall: Math.max(2 + n, 4),
      forms: [
        [["RUN"], ["count"], ...code.map(() => known)],
        [["RUN"], ["has"], known],
        [["RUN"], ["less"], places, known],
        [["SUBMIT"], ...code.map(() => names)],
        ...tools.slice(2).map((name) => [[name]]),
      ],
      tools: [
        {
          name: "RUN_count",
          about: "Prints in how many places the hidden code is the given one.",
          parameters: [{ name: "code", about: `${n} digits`, values: known, words: [n, n] }],
          turn: ["RUN", "count", { parameter: "code" }],
        },
        {
          name: "RUN_has",
          about: "Prints whether a digit occurs in the hidden code.",
          parameters: [{ name: "digit", values: known }],
          turn: ["RUN", "has", { parameter: "digit" }],
        },
        {
          name: "RUN_less",
          about: "Prints whether the digit at a place of the hidden code is below a digit.",
          parameters: [
            { name: "place", about: "0 is the first place", values: places },
            { name: "digit", values: known },
          ],
          turn: ["RUN", "less", { parameter: "place" }, { parameter: "digit" }],
        },
        {
          name: "SUBMIT",
          about: "Guesses the hidden code, which ends the episode.",
          parameters: [{ name: "code", about: `${n} digits`, values: names, words: [n, n] }],
        },
        ...distractors,
      ],
      tasks: tasks.map(({ id, level }, task) => ({
        id,
        level,
        state: { task, ran: 0 },
        observation: question,
      })),
      milestones: CODEBREAKER_MILESTONES,
      parse,
      call,
      holding: ({ ran }, score) => [
        ...(ran >= 1 ? ["ran"] : []),
        ...(ran >= 2 ? ["ranAgain"] : []),
        ...(score === 1 ? ["broken"] : []),
      ],
      render: ({ task }) => `hidden: ${tasks[task]!.code.join(" ")}`,
    }),
  );
}

export const CODEBREAKER_MILESTONES = [
  { id: "ran", weight: 0.1 },
  { id: "ranAgain", weight: 0.1, dependsOn: ["ran"] },
  { id: "broken", weight: 0.8 },
];
