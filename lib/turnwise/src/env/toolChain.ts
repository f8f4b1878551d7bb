import { fraction, group, number, oneOf, type Static } from "../schema";
import type { ActionClass, Observation, Outcome, ToolSpec } from "./env";
import { GameEnv, type Game } from "./game";
import { readOptions } from "./options";
import { world } from "./world";

const schema = group({
  turnCost: fraction(0, { help: "Subtracted for every turn used." }),
  prompts: oneOf(["train", "heldOut", "all"], {
    help: "Which of the 64 prompts: the 32 for training, the other 32, or all.",
  }),
  verifierFlip: number(0, {
    atLeast: 0,
    atMost: 0.5,
    help: "Probability that the verifier says the opposite of what is true.",
  }),
  rewardNoise: number(0, {
    atLeast: 0,
    atMost: 10,
    help: "The final reward is raised or lowered by this, with equal chance: noise of this standard deviation.",
  }),
});

export type ToolChainOptions = Static<typeof schema>;

export interface ToolChainState {
  /** 0..63: question n % 4, key floor(n / 4) % 4, value floor(n / 16) % 4. */
  readonly prompt: number;
  readonly searched: boolean;
  readonly turn: number;
}

const TRAIN = [
  2, 6, 9, 11, 12, 13, 17, 18, 20, 22, 24, 26, 27, 28, 29, 30, 31, 32, 34, 35, 36, 38, 39, 41, 42, 43, 47, 48,
  52, 59, 61, 63,
];

const VOCABULARY = ["0", "1", "2", "3", "SEARCH", "LOOKUP", "ANSWER", "um", "so", "well"];
const V = VOCABULARY.length;
const MAX_TURNS = 4;
export const [SEARCH, LOOKUP, ANSWER] = [4, 5, 6] as const;

const ARGUMENTS = VOCABULARY.slice(0, 4);
const tool = (name: string, about: string, parameter: string): ToolSpec => ({
  name,
  about,
  parameters: [{ name: parameter, values: ARGUMENTS }],
  turn: [{ filler: "um" }, name, { parameter }],
});
const TOOLS = [
  tool("SEARCH", "Shows the key that a question leads to.", "question"),
  tool("LOOKUP", "Shows the value of the key, once a search has shown it.", "key"),
  tool("ANSWER", "Answers with a value, which ends the episode.", "value"),
];

const observationVocabulary = [
  ...[0, 1, 2, 3].map((q) => `question=${q}`),
  ...[0, 1, 2, 3].map((k) => `key=${k}`),
  ...[0, 1, 2, 3].map((v) => `value=${v}`),
  ...[0, 1, 2, 3].map((q) => `again=${q}`),
];
const TEXTS = [
  "question:",
  "result: the key is",
  "result: the value is",
  "error: no result; the question is",
];
const observations: readonly Observation[] = observationVocabulary.map((_, id) => ({
  tokens: [V + id],
  text: `${TEXTS[Math.floor(id / 4)]} ${id % 4}`,
}));

export const toolChainWorld = world({
  id: "ToolChain-v0",
  about: "A search shows a key, a look-up of the key shows a value, and the value is the answer.",
  skill: "chaining tools: each call needs the result of the one before",
  options: schema,
  cheapToEnumerate: false,
  small: { maxTurns: 2, turnCost: 0.05 },
  policy: { kind: "logLinear", beta: 2 },
  make: (options) => toolChain(options),
});

/**
 * ToolChain-v0: search, look up, answer, in that order.
 *
 * A prompt n of 64 has a question q, a key k and a value v. Only the latest result is in sight.
 *
 * - **Action space:** a turn is [thought, tool, argument] of ten tokens, with the tools SEARCH, LOOKUP and ANSWER.
 * - **Observation:** q at first; k after SEARCH q; v after LOOKUP k, once a search of the episode has succeeded; anything else
 *   restates the question.
 * - **Reward:** 1 for ANSWER v, else 0; every turn costs `turnCost`.
 * - **Start:** each training prompt is equally likely.
 * - **End:** at ANSWER, or after four turns.
 *
 * Optimum without cost: three turns, 1. With a small cost c it is a little above 1 - 3c, since some keys of the training
 * prompts leave one value only. There an answer given the question alone is right 13 times in 32 at best: the plateau
 * on which training gets stuck.
 *
 * Notebooks 02 to 04 measure update orders, echo traps and the reuse of batches on it.
 */
export function toolChain(options: Partial<ToolChainOptions> = {}): GameEnv<ToolChainState> {
  return new GameEnv(toolChainGame(options));
}

function toolChainGame(given: Partial<ToolChainOptions>): Game<ToolChainState> {
  const { id, skill } = toolChainWorld;
  const o = readOptions(id, schema, given);
  const prompts = promptsOf(id, o.prompts);

  // Made once and handed out again: a rollout or an enumeration that asks for them by the million allocates nothing.
  const states = new Map<number, ToolChainState>();
  const outcomes = new Map<number, readonly Outcome<ToolChainState>[]>();
  const stateOf = (prompt: number, searched: boolean, turn: number): ToolChainState => {
    const key = (turn * 64 + prompt) * 2 + Number(searched);
    let state = states.get(key);
    if (!state) states.set(key, (state = { prompt, searched, turn }));
    return state;
  };
  const once = (
    { prompt, searched, turn }: ToolChainState,
    kind: number,
    make: () => readonly Outcome<ToolChainState>[],
  ): readonly Outcome<ToolChainState>[] => {
    const key = ((turn * 64 + prompt) * 2 + Number(searched)) * 8 + kind;
    let known = outcomes.get(key);
    if (!known) outcomes.set(key, (known = make()));
    return known;
  };

  const goOn = (
    state: ToolChainState,
    observation: number,
    searched: boolean,
    call: "tool" | "malformed",
  ): readonly Outcome<ToolChainState>[] =>
    once(state, Math.floor(observation / 4) + (call === "malformed" ? 4 : 0), () => [
      {
        probability: 1,
        state: stateOf(state.prompt, searched, state.turn + 1),
        observation: observations[observation]!,
        reward: 0 - o.turnCost,
        terminated: state.turn + 1 === MAX_TURNS,
        info: { call, success: false },
      },
    ]);

  const answer = (state: ToolChainState, right: boolean): readonly Outcome<ToolChainState>[] =>
    once(state, right ? 0 : 4, () => {
      const after = stateOf(state.prompt, state.searched, state.turn + 1);
      const observation = { ...observations[12 + (state.prompt % 4)]!, text: "done" };
      const info = { call: "answer", success: right } as const;
      return spread(right ? 1 : 0, o).map(({ probability, reward }) => ({
        probability,
        state: after,
        observation,
        reward: reward - o.turnCost,
        terminated: true,
        info,
      }));
    });

  return {
    spec: {
      id,
      skill,
      vocabulary: VOCABULARY,
      observationVocabulary,
      maxTurns: MAX_TURNS,
      maxTokens: 3,
      syntax: [
        [7, 8, 9],
        [SEARCH, LOOKUP, ANSWER],
        [0, 1, 2, 3],
      ],
      tools: TOOLS,
      options: { ...o },
    },
    start: () =>
      prompts.map((prompt) => ({
        probability: 1 / prompts.length,
        state: stateOf(prompt, false, 0),
        observation: observations[prompt % 4]!,
        reward: 0,
        terminated: false,
        taskId: `prompt=${prompt}`,
      })),
    transition(state, [, tool, argument]) {
      const { prompt, searched } = state;
      const question = prompt % 4;
      const key = Math.floor(prompt / 4) % 4;
      const value = Math.floor(prompt / 16) % 4;
      if (tool === ANSWER) return answer(state, argument === value);
      if (tool === SEARCH && argument === question) return goOn(state, 4 + key, true, "tool");
      if (tool === LOOKUP && searched && argument === key) return goOn(state, 8 + value, searched, "tool");
      const wellFormed = (tool === SEARCH || tool === LOOKUP) && argument! < 4;
      return goOn(state, 12 + question, searched, wellFormed ? "tool" : "malformed");
    },
    render({ prompt, searched, turn }) {
      const [q, k, v] = [prompt % 4, Math.floor(prompt / 4) % 4, Math.floor(prompt / 16) % 4];
      return `turn ${turn} of ${MAX_TURNS}, question ${q}, key ${k}, value ${v}, ${searched ? "" : "not "}searched`;
    },
    actionClasses: () => classes,
  };
}

/** The reward that is paid, after a verifier's flip and two-point noise. */
function spread(
  truth: 0 | 1,
  { verifierFlip, rewardNoise }: ToolChainOptions,
): { probability: number; reward: number }[] {
  const verdicts = [
    { probability: 1 - verifierFlip, reward: truth },
    { probability: verifierFlip, reward: 1 - truth },
  ].filter(({ probability }) => probability > 0);
  if (rewardNoise === 0) return verdicts;
  return verdicts.flatMap(({ probability, reward }) => [
    { probability: probability / 2, reward: reward + rewardNoise },
    { probability: probability / 2, reward: reward - rewardNoise },
  ]);
}

function promptsOf(id: string, name: ToolChainOptions["prompts"]): readonly number[] {
  const all = Array.from({ length: 64 }, (_, n) => n);
  if (name === "all") return all;
  if (name === "train") return TRAIN;
  if (name === "heldOut") return all.filter((n) => !TRAIN.includes(n));
  throw new RangeError(
    `Cannot make ${id}: prompts must be "train", "heldOut" or "all", got "${String(name)}".`,
  );
}

/** Three tools x four arguments, a wrong answer by a token that is no argument, and a call that nothing answers. */
const classes: readonly ActionClass[] = [
  ...[SEARCH, LOOKUP, ANSWER].flatMap((tool) =>
    [0, 1, 2, 3].map((argument) => ({ action: [7, tool, argument], share: 1 / 100 })),
  ),
  { action: [7, ANSWER, 7], share: 6 / 100 },
  { action: [7, 7, 7], share: 7 / 10 + 12 / 100 },
];
