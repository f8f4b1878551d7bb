import { fraction, group, number, whole, type Static } from "../schema";
import type { Action, Observation, Outcome, TurnInfo } from "./env";
import { GameEnv, type Game } from "./game";
import { readOptions } from "./options";
import { world } from "./world";

const schema = group({
  facts: whole(4, { atLeast: 2, atMost: 100, help: "F: how many values the hidden fact may take." }),
  toolReliability: fraction(1, {
    help: "Probability that LOOKUP tells the truth; otherwise it names one of the other values, each as likely.",
  }),
  wrongPenalty: number(1 / 3, {
    atLeast: 0,
    atMost: 10,
    help: "Subtracted for a wrong answer; 0 makes a blind answer worth 1/F, a plateau on which most runs stay.",
  }),
  turnCost: fraction(0, { help: "Subtracted from the reward of every turn." }),
  passReward: fraction(0, { help: "Reward of PASS, which ends the episode; 0 leaves the tool out." }),
});

export type LookUpOptions = Static<typeof schema>;

interface LookUpState {
  readonly fact: number;
  readonly turn: number;
  readonly outcome: "running" | "right" | "wrong" | "passed" | "outOfTurns";
}

export const lookUpWorld = world({
  id: "LookUp-v0",
  about: "A fact is hidden; one turn can look it up before another answers.",
  skill: "information gathering: look something up before answering",
  options: schema,
  cheapToEnumerate: true,
  small: { toolReliability: 0.7, turnCost: 0.01 },
  policy: {},
  make: (options) => lookUp(options),
});

/**
 * LookUp-v0: ask before you answer.
 *
 * One of F facts is hidden, c. The verifier reads the state, never the text. Optimum without costs: LOOKUP, then ANSWER what it
 * showed: 1. A blind answer gets 1/F - (1 - 1/F) wrongPenalty.
 *
 * - **Action space:** a turn is [tool, argument]: ANSWER x, LOOKUP, which ignores its argument, or PASS if it pays.
 * - **Observation:** the question; the fact after LOOKUP; an error after a malformed call, which uses up a turn.
 * - **Reward:** 1 for ANSWER c, -`wrongPenalty` for another answer, `passReward` for PASS; every turn costs `turnCost`.
 * - **Start:** each fact is equally likely.
 * - **End:** at ANSWER or PASS, or after two turns.
 *
 * @see `games.guessOrLookUp`, the same game with a sure reward in place of a verified answer
 */
export function lookUp(options: Partial<LookUpOptions> = {}): GameEnv<LookUpState> {
  return new GameEnv(lookUpGame(options));
}

function lookUpGame(given: Partial<LookUpOptions>): Game<LookUpState> {
  const { id, skill } = lookUpWorld;
  const o = readOptions(id, schema, given);

  const tools = o.passReward > 0 ? ["ANSWER", "LOOKUP", "PASS"] : ["ANSWER", "LOOKUP"];
  const [ANSWER, LOOKUP, PASS] = [0, 1, 2];
  const values = Array.from({ length: o.facts }, (_, i) => String(i));
  const vocabulary = [...tools, ...values];
  const filler = { filler: values[0]! };
  const V = vocabulary.length;
  const observationVocabulary = ["question", ...values.map((x) => `fact=${x}`), "error", "done"];
  const question: Observation = { tokens: [V], text: `question: which of ${values.join(", ")} is the fact?` };
  const shown = values.map((x, i): Observation => ({
    tokens: [V + 1 + i],
    text: `result: the fact is ${x}`,
  }));
  const done: Observation = { tokens: [V + 2 + o.facts], text: "done" };
  const error = (text: string): Observation => ({ tokens: [V + 1 + o.facts], text: `error: ${text}` });

  const gold = values.map((_, fact) => ({ before: [ANSWER], answer: [tools.length + fact] }));

  const end = (
    state: LookUpState,
    outcome: LookUpState["outcome"],
    reward: number,
  ): Outcome<LookUpState> => ({
    probability: 1,
    state: { ...state, turn: state.turn + 1, outcome },
    observation: done,
    reward: reward - o.turnCost,
    terminated: true,
    info: {
      call: "answer",
      success: outcome === "right",
      verdict: outcome === "passed" ? 0 : outcome === "right" ? 1 : -1,
      gold: gold[state.fact]!,
    },
  });

  /** The episode goes on with this observation, unless the turn was the last one. */
  const goOn = (
    state: LookUpState,
    observation: Observation,
    probability: number,
    call: TurnInfo["call"],
    verdict: TurnInfo["verdict"] = call === "malformed" ? -1 : 0,
  ): Outcome<LookUpState> => {
    const last = state.turn === 1;
    return {
      probability,
      state: { ...state, turn: state.turn + 1, outcome: last ? "outOfTurns" : "running" },
      observation: last ? done : observation,
      reward: 0 - o.turnCost,
      terminated: last,
      info: { call, success: false, verdict, gold: gold[state.fact]! },
    };
  };

  return {
    spec: {
      id,
      skill,
      vocabulary,
      observationVocabulary,
      maxTurns: 2,
      maxTokens: 2,
      syntax: [tools.map((_, i) => i), values.map((_, i) => tools.length + i)],
      tools: [
        {
          name: "ANSWER",
          about: "Answers the question, which ends the episode.",
          parameters: [{ name: "value", values }],
        },
        {
          name: "LOOKUP",
          about: `Shows the fact${o.toolReliability < 1 ? ", or at times another value" : ""}.`,
          parameters: [],
          turn: ["LOOKUP", filler],
        },
        {
          name: "PASS",
          about: "Ends the episode without an answer.",
          parameters: [],
          turn: ["PASS", filler],
        },
        // Without a reward for passing there is no PASS.
      ].slice(0, tools.length),
      options: { ...o },
    },
    start: () =>
      values.map((x, fact) => ({
        probability: 1 / o.facts,
        state: { fact, turn: 0, outcome: "running" },
        observation: question,
        reward: 0,
        terminated: false,
        taskId: `fact=${x}`,
      })),
    transition(state, [tool, argument]: Action) {
      const value = argument! - tools.length;
      if (tool === ANSWER && value < 0) return [goOn(state, error("ANSWER needs a value"), 1, "malformed")];
      if (tool === ANSWER) {
        const right = value === state.fact;
        return [end(state, right ? "right" : "wrong", right ? 1 : 0 - o.wrongPenalty)];
      }
      if (tool === PASS && tools.length > PASS) return [end(state, "passed", o.passReward)];
      if (tool !== LOOKUP) return [goOn(state, error(`no tool named ${vocabulary[tool!]}`), 1, "malformed")];
      if (state.turn === 1) return [goOn(state, done, 1, "tool")];
      return shown
        .map((observation, x) => {
          const probability = x === state.fact ? o.toolReliability : (1 - o.toolReliability) / (o.facts - 1);
          return goOn(state, observation, probability, "tool", x === state.fact ? 1 : -1);
        })
        .filter((outcome) => outcome.probability > 0);
    },
    render: (state) => `turn ${state.turn} of 2, hidden fact ${state.fact}, ${state.outcome}`,
  };
}
