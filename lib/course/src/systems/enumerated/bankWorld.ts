import { GameEnv, type Game } from "turnwise/internal/env/game";
import type { Observation, Outcome } from "turnwise/internal/env/env";

/** A message about an entity, or one that states nothing. */
type Message = { readonly entity: number; readonly value: number } | undefined;

interface BankState {
  readonly turn: number;
  /** Tokens of the entries, oldest first. */
  readonly bank: readonly number[];
  readonly message: Message;
  /** The latest value of each entity; -1 before there is one. */
  readonly latest: readonly number[];
  /** The entity that is asked for; -1 before. */
  readonly asked: number;
}

/** An operation of a manager of memories on a message. */
export type Operation = "add" | "update" | "delete" | "noop";

const ENTITIES = 2;
const VALUES = 2;
const MESSAGES = 4;
const CAPACITY = 2;
const operations: readonly Operation[] = ["add", "update", "delete", "noop"];
const ANSWER = operations.length;
const ENTRY = ANSWER + VALUES;
const CHATTER = ENTRY + ENTITIES * VALUES;
const QUESTION = CHATTER + 1;

const entryOf = (message: Message): number =>
  message === undefined ? CHATTER : ENTRY + message.entity * VALUES + message.value;
const isAbout = (entry: number, entity: number): boolean =>
  entry < CHATTER && Math.floor((entry - ENTRY) / VALUES) === entity;

/** The bank after an operation on a message. */
export function operated(bank: readonly number[], message: Message, operation: Operation): readonly number[] {
  const entry = entryOf(message);
  const others = message === undefined ? bank : bank.filter((one) => !isAbout(one, message.entity));
  switch (operation) {
    case "add":
      return [...bank, entry].slice(-CAPACITY);
    case "update":
      return others.length === bank.length
        ? bank
        : bank.flatMap((one) => (others.includes(one) ? [one] : [])).concat(entry);
    case "delete":
      return others;
    case "noop":
      return bank;
  }
}

/**
 * Four messages, of which the first states something, then a question about one of the entities that were named.
 *
 * A message states one of two values of an entity, and may correct an earlier one, or states nothing. The agent sees the bank, of at most two
 * entries, and the new message; a full bank drops its oldest entry for an added one. Words that the manager may not use count as `add`.
 */
export function bankEnv(allowed: readonly Operation[] = operations): GameEnv<BankState> {
  return new GameEnv(bankGame(allowed));
}

function bankGame(allowed: readonly Operation[]): Game<BankState> {
  const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i);
  const facts: Message[] = range(ENTITIES).flatMap((entity) =>
    range(VALUES).map((value) => ({ entity, value })),
  );
  const messages: Message[] = [...facts, undefined];
  const names = [
    ...facts.map((fact) => `${"ab"[fact!.entity]}-is-${fact!.value + 1}`),
    "chatter",
    ...range(ENTITIES).map((entity) => `ask-${"ab"[entity]}`),
    "over",
  ];
  const shown = ({ bank, message, asked }: BankState): Observation => {
    const tokens = [...bank, asked < 0 ? entryOf(message) : QUESTION + asked];
    return { tokens, text: tokens.map((token) => names[token - ENTRY]).join(", ") };
  };
  const over: Observation = { tokens: [QUESTION + ENTITIES], text: "over" };
  const arriving = (
    state: Omit<BankState, "message" | "asked">,
    possible: readonly Message[] = messages,
  ): { probability: number; state: BankState }[] =>
    possible.map((message) => ({
      probability: 1 / possible.length,
      state: {
        ...state,
        message,
        asked: -1,
        latest: state.latest.map((value, entity) => (message?.entity === entity ? message.value : value)),
      },
    }));
  return {
    spec: {
      id: "Bank-v0",
      skill: "keep what is true in a memory that is too small for everything",
      vocabulary: [...operations, ...range(VALUES).map((value) => `answer-${value + 1}`)],
      observationVocabulary: names,
      maxTurns: MESSAGES + 1,
      maxTokens: 1,
      options: { allowed },
    },
    start: () =>
      arriving({ turn: 0, bank: [], latest: range(ENTITIES).map(() => -1) }, facts).map(
        ({ probability, state }) => ({
          probability,
          state,
          observation: shown(state),
          reward: 0,
          terminated: false,
        }),
      ),
    transition(state, [token]): Outcome<BankState>[] {
      const { turn, bank, message, latest, asked } = state;
      if (asked >= 0) {
        const success = token === ANSWER + latest[asked]!;
        const info = { call: "answer", success } as const;
        return [
          { probability: 1, state, observation: over, reward: success ? 1 : 0, terminated: true, info },
        ];
      }
      const word = operations[token!];
      const operation = word !== undefined && allowed.includes(word) ? word : allowed[0]!;
      const after = { turn: turn + 1, bank: operated(bank, message, operation), latest };
      const named = range(ENTITIES).filter((entity) => latest[entity]! >= 0);
      const next =
        turn + 1 < MESSAGES
          ? arriving(after)
          : named.map((entity) => ({
              probability: 1 / named.length,
              state: { ...after, message: undefined, asked: entity },
            }));
      return next.map((one) => ({
        probability: one.probability,
        state: one.state,
        observation: shown(one.state),
        reward: 0,
        terminated: false,
        info: { call: "move", success: false } as const,
      }));
    },
    render: (state) => `message ${state.turn + 1} of ${MESSAGES}, ${shown(state).text}`,
  };
}
