import { data, group, type Static } from "../../schema";
import type { Observation } from "../env";
import { GameEnv } from "../game";
import { ToolGrammar, type Call } from "../tool/grammar";
import { distractorTools, readToolOptions, toolFields } from "../tool/options";
import { sharedTokens, toolGame, type Effect, type ToolState } from "../tool/toolGame";
import {
  expectMemoryDeskTasks,
  factsAfter,
  MEMORY_DESK_LEVELS,
  memoryDeskTasks,
  type DeskEvent,
  type MemoryDeskTask,
} from "./tasks";
import { world } from "../world";

const schema = group({
  ...toolFields(MEMORY_DESK_LEVELS),
  tasks: data<readonly MemoryDeskTask[]>([], "a list of tasks", Array.isArray, {
    help: "The tasks to draw from; empty for generated ones.",
  }),
});

export type MemoryDeskOptions = Static<typeof schema>;

type Entry = readonly [key: string, value: number];

interface Desk {
  readonly task: number;
  /** Index of the event that lies on the desk. */
  readonly event: number;
  readonly store: readonly Entry[];
  /** Kinds of work that were done right at least once. */
  readonly did: readonly string[];
}

export const memoryDeskWorld = world({
  id: "MemoryDesk-v0",
  about: "A stream of facts, changes and rumours, and a store too small for all of them.",
  skill: "memory as action: keep, change and forget in a store that is too small for everything",
  levels: MEMORY_DESK_LEVELS,
  options: schema,
  cheapToEnumerate: false,
  small: { taskCount: 6, turnLimit: 3 },
  policy: { syntaxPrior: 3 },
  make: (options) => memoryDesk(options),
});

/**
 * MemoryDesk-v0: what to keep, what to change, what to forget.
 *
 * The store holds `capacity` entries. After the last event every fact that then holds is asked for. A fixed reader answers from
 * the store alone, so that remembering the transcript does not help:
 *
 * ```
 * score = (questions answered right) / (questions)
 * ```
 *
 * The optimum is 1: the stream never has more facts than fit.
 *
 * - **Action space:** a turn is one call, closed by END: `ADD` stores what the event says, `UPDATE` replaces the entry of its key,
 *   `DELETE key` frees room, `NOOP` lets the event pass.
 * - **Observation:** one event a turn: a fact `key = value`, a change of one, a rumor that is not true, or a fact that no longer
 *   holds. An event passes after its turn, also when the call was refused with an error.
 * - **Reward:** the score, in the last turn; every turn costs `turnCost`. `reward` chooses another payment.
 * - **Start:** each stream of events is equally likely.
 * - **End:** after the last event.
 *
 * @see Memory-R1, arXiv 2508.19828, for the actions ADD, UPDATE, DELETE and NOOP and an outcome reward by exact match; its
 *   answer agent is a fixed reader here
 */
export function memoryDesk(options: Partial<MemoryDeskOptions> = {}): GameEnv<ToolState<Desk>> {
  const { id, skill } = memoryDeskWorld;
  const o = readToolOptions(id, schema, options);
  expectMemoryDeskTasks(id, o.tasks);
  const tasks = o.tasks.length > 0 ? o.tasks : memoryDeskTasks(o.level, o.taskCount);
  const events = tasks.flatMap((task) => task.events);
  const keys = [...new Set(events.map(({ key }) => key))].sort();
  const values = Array.from(
    { length: 1 + Math.max(...events.map(({ value }) => value ?? 0)) },
    (_, i) => `=${i}`,
  );
  const grammar = new ToolGrammar([
    {
      name: "ADD",
      about: "Stores what the event on the desk says, if its key is not stored and there is room.",
      parameters: [],
    },
    {
      name: "UPDATE",
      about: "Replaces the stored value of the event's key by what the event on the desk says.",
      parameters: [],
    },
    {
      name: "DELETE",
      about: "Removes a stored key, which makes room.",
      parameters: [{ name: "key", values: keys }],
    },
    { name: "NOOP", about: "Lets the event pass.", parameters: [] },
    ...distractorTools(o.distractors),
  ]);
  const { vocabulary } = grammar;
  const observationVocabulary = ["fact", "rumour", "gone", "store", "end", ...values];
  const V = vocabulary.length;
  const [STORE, END_OF_DAY, FIRST_VALUE] = [V + 3, V + 4, V + 5];
  const shared = sharedTokens(vocabulary, observationVocabulary);
  const ok: Observation = { tokens: [shared.ok], text: "ok" };

  const eventText = ({ kind, key, value }: DeskEvent): string =>
    kind === "gone" ? `gone: ${key} no longer holds` : `${kind}: ${key}=${value}`;
  const eventTokens = ({ kind, key, value }: DeskEvent): number[] => [
    V + observationVocabulary.indexOf(kind),
    grammar.token(key),
    ...(value === undefined ? [] : [FIRST_VALUE + value]),
  ];
  const desk = (event: DeskEvent | undefined, store: readonly Entry[]): Observation => ({
    tokens: [
      ...(event ? eventTokens(event) : [END_OF_DAY]),
      STORE,
      ...store.flatMap(([key, value]) => [grammar.token(key), FIRST_VALUE + value]),
    ],
    text: `${event ? eventText(event) : "the day is over"}; ${storeText(store)}`,
  });

  const scoreOf = ({ task: i, store }: Desk): number => {
    const { questions } = tasks[i]!;
    const memory = new Map(store);
    return questions.filter(({ key, answer }) => memory.get(key) === answer).length / questions.length;
  };

  const call = (before: Desk, { tool, values: [named] }: Call): readonly Effect<Desk>[] => {
    const task = tasks[before.task]!;
    const event = task.events[before.event]!;
    const { store } = before;
    const stored = store.some(([key]) => key === event.key);
    const refuse = (text: string): Effect<Desk>[] => [
      { state: before, observation: { tokens: [shared.error], text: `error: ${text}` }, refused: true },
    ];
    const keep = (entries: readonly Entry[], did: string | undefined): Effect<Desk>[] => {
      const known = did === undefined || before.did.includes(did);
      const sorted = [...entries].sort(([a], [b]) => (a < b ? -1 : 1));
      return [
        {
          state: { ...before, store: sorted, did: known ? before.did : [...before.did, did] },
          observation: ok,
        },
      ];
    };
    if (tool === "NOOP") return [{ state: before, observation: ok }];
    if (tool === "DELETE") {
      if (!store.some(([key]) => key === named)) return refuse(`${named!} is not stored`);
      const holds = factsAfter(task.events.slice(0, before.event + 1)).has(named!);
      return keep(
        store.filter(([key]) => key !== named),
        holds ? undefined : "deleted",
      );
    }
    if (event.value === undefined) return refuse("the event has no value to store");
    const entry: Entry = [event.key, event.value];
    const right = event.kind === "fact";
    if (tool === "UPDATE") {
      if (!stored) return refuse(`${event.key} is not stored`);
      return keep([...store.filter(([key]) => key !== event.key), entry], right ? "updated" : undefined);
    }
    if (stored) return refuse(`${event.key} is stored already`);
    if (store.length >= task.capacity) return refuse("the store is full");
    return keep([...store, entry], right ? "added" : undefined);
  };

  return new GameEnv(
    toolGame<Desk>({
      id,
      skill,
      vocabulary,
      observationVocabulary,
      options: o,
      turnLimit: o.turnLimit || Math.max(...tasks.map((task) => task.events.length)),
      longestCall: grammar.longest,
      forms: grammar.forms,
      tools: grammar.tools,
      tasks: tasks.map((task, i) => ({
        id: task.id,
        level: task.level,
        state: { task: i, event: 0, store: [], did: [] },
        observation: desk(task.events[0], []),
      })),
      milestones: MEMORY_DESK_MILESTONES,
      parse: (action) => grammar.parse(action),
      call,
      tick(state) {
        const event = state.event + 1;
        const { events: stream } = tasks[state.task]!;
        const after = { ...state, event };
        const observation = desk(stream[event], state.store);
        return event < stream.length
          ? { state: after, observation }
          : { state: after, observation, score: scoreOf(after) };
      },
      holding: ({ did }, score) => [...did, ...(score === 1 ? ["answered"] : [])],
      scoreAtEnd: scoreOf,
      render(state) {
        const { events: stream, questions } = tasks[state.task]!;
        const asked = questions.map(({ key, answer }) => `${key}=${answer}`).join(" ");
        return `${storeText(state.store)}; event ${state.event} of ${stream.length}; will be asked: ${asked}`;
      },
    }),
  );
}

export const MEMORY_DESK_MILESTONES = [
  { id: "added", weight: 0.2 },
  { id: "updated", weight: 0.2, dependsOn: ["added"] },
  { id: "deleted", weight: 0.2, dependsOn: ["added"] },
  { id: "answered", weight: 0.4 },
];

function storeText(store: readonly Entry[]): string {
  return `store: ${store.map(([key, value]) => `${key}=${value}`).join(" ") || "empty"}`;
}
