import { createRng, type Rng } from "../../base/rng";

/** News at the desk: a fact to keep, a rumour that is not true, or a fact that no longer holds. */
export interface DeskEvent {
  readonly kind: "fact" | "rumour" | "gone";
  readonly key: string;
  /** None for `gone`. */
  readonly value?: number;
}

export interface MemoryDeskTask {
  readonly id: string;
  readonly level: number;
  /** Number of facts the store holds. */
  readonly capacity: number;
  readonly events: readonly DeskEvent[];
  /** Asked at the end: every fact that then holds, with its value. */
  readonly questions: readonly { readonly key: string; readonly answer: number }[];
}

export const MEMORY_DESK_LEVELS = 3;

const KEYS = ["a", "b", "c", "d", "e"];

const LEVELS = [
  { keys: 3, values: 3, capacity: 2, events: 5, rumours: 0 },
  { keys: 4, values: 3, capacity: 2, events: 7, rumours: 1 },
  { keys: 5, values: 4, capacity: 3, events: 9, rumours: 2 },
];

/** The facts that hold after the events, in order of key. */
export function factsAfter(events: readonly DeskEvent[]): Map<string, number> {
  const facts = new Map<string, number>();
  for (const { kind, key, value } of events) {
    if (kind === "fact") facts.set(key, value!);
    if (kind === "gone") facts.delete(key);
  }
  return new Map([...facts].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * Distinct streams of events, none of which can be followed without ADD, without UPDATE or without DELETE. There are
 * never more facts than the store has room for. The same seed gives the same tasks.
 */
export function memoryDeskTasks(level: number, count: number, seed = 0): MemoryDeskTask[] {
  const rng = createRng(seed).split("memoryDesk", level);
  const { capacity } = LEVELS[level - 1]!;
  const seen = new Set<string>();
  const tasks: MemoryDeskTask[] = [];
  for (let draw = 0; tasks.length < count && draw < 2000 * count; draw++) {
    const events = drawEvents(level, rng);
    const key = JSON.stringify(events);
    if (seen.has(key) || !needsEverything(events, level)) continue;
    seen.add(key);
    tasks.push({
      id: `memoryDesk-${level}-${tasks.length}`,
      level,
      capacity,
      events,
      questions: [...factsAfter(events)].map(([asked, answer]) => ({ key: asked, answer })),
    });
  }
  return tasks;
}

function drawEvents(level: number, rng: Rng): DeskEvent[] {
  const { keys, values, capacity, events: length, rumours } = LEVELS[level - 1]!;
  const events: DeskEvent[] = [];
  const pick = (from: readonly string[]): string => from[rng.below(from.length)]!;
  while (events.length < length) {
    const facts = factsAfter(events);
    const held = [...facts.keys()];
    const free = KEYS.slice(0, keys).filter((key) => !facts.has(key));
    const kinds = [
      ...(facts.size < capacity ? ["new", "new", "new"] : []),
      ...(facts.size > 0 ? ["change", "gone"] : []),
      ...(rumours > 0 && events.length > 0 ? ["rumour"] : []),
    ];
    const kind = pick(kinds);
    if (kind === "gone") {
      events.push({ kind, key: pick(held) });
      continue;
    }
    const key = kind === "new" ? pick(free) : kind === "change" ? pick(held) : pick(KEYS.slice(0, keys));
    const others = Array.from({ length: values }, (_, value) => value).filter(
      (value) => value !== facts.get(key),
    );
    const value = others[rng.below(others.length)]!;
    events.push({ kind: kind === "rumour" ? "rumour" : "fact", key, value });
  }
  return events;
}

const WORK = ["ADD", "UPDATE", "DELETE"] as const;

/** A manager who never does one of the three forgets or mistakes a fact, whichever of them it is. */
function needsEverything(events: readonly DeskEvent[], level: number): boolean {
  const { capacity, rumours } = LEVELS[level - 1]!;
  const facts = [...factsAfter(events)];
  const heard = events.filter(({ kind }) => kind === "rumour").length;
  return (
    heard >= rumours &&
    facts.length === capacity &&
    WORK.every((missing) => {
      const store = storeWithout(events, capacity, missing);
      return facts.some(([key, value]) => store.get(key) !== value);
    })
  );
}

/** The store after a day of a manager who does everything right but one kind of work. */
function storeWithout(
  events: readonly DeskEvent[],
  capacity: number,
  missing: (typeof WORK)[number],
): Map<string, number> {
  const store = new Map<string, number>();
  for (const { kind, key, value } of events) {
    if (kind === "gone" && missing !== "DELETE") store.delete(key);
    if (kind !== "fact") continue;
    const work = store.has(key) ? "UPDATE" : "ADD";
    const room = store.has(key) || store.size < capacity;
    if (work !== missing && room) store.set(key, value!);
  }
  return store;
}

/** @throws {RangeError} if no store of its capacity can follow a stream, or its answers are wrong */
export function expectMemoryDeskTasks(id: string, tasks: readonly MemoryDeskTask[]): void {
  for (const task of tasks) {
    const largest = Math.max(...task.events.map((_, i) => factsAfter(task.events.slice(0, i + 1)).size));
    if (!(largest <= task.capacity)) {
      throw new RangeError(
        `Cannot make ${id}: at most capacity facts may hold at a time, but "${task.id}" has ${largest} facts and capacity ${task.capacity}.`,
      );
    }
    const right = JSON.stringify([...factsAfter(task.events)].map(([key, answer]) => ({ key, answer })));
    if (right === "[]" || JSON.stringify(task.questions) !== right) {
      throw new RangeError(
        `Cannot make ${id}: the questions must ask for the facts that hold at the end, but "${task.id}" has ${JSON.stringify(task.questions)}, and the facts are ${right}.`,
      );
    }
  }
}
