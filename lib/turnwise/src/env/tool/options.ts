import { fraction, oneOf, whole, type Fields, type Group, type Static, type ValueOf } from "../../schema";
import type { ToolSpec } from "../env";
import { readOptions } from "../options";

/** Tools that answer and help nobody. */
export const DISTRACTORS = ["CLOCK", "WEATHER", "NEWS", "HOROSCOPE"] as const;

/** The first of the distractor tools, as many as there are. */
export function distractorTools(count: number): ToolSpec[] {
  return DISTRACTORS.slice(0, count).map((name) => ({
    name,
    about: `Shows ${{ CLOCK: "the time", WEATHER: "the weather", NEWS: "the news", HOROSCOPE: "a horoscope" }[name]}.`,
    parameters: [],
  }));
}

/** Options of every tool environment; a world with that many levels adds its own. */
export const toolFields = (levels: number) =>
  ({
    level: whole(1, {
      atLeast: 1,
      atMost: levels,
      help: "Difficulty; it chooses the tasks that are generated.",
    }),
    taskCount: whole(48, {
      atLeast: 1,
      atMost: 10_000,
      unit: "tasks",
      help: "Number of generated tasks that the episodes draw from.",
    }),
    drawLevel: whole(0, {
      atLeast: 0,
      atMost: levels,
      help:
        "Episodes draw from the tasks of this level alone; 0 is all of them. The vocabulary is that of all tasks, so that " +
        "one policy can go through the levels of a curriculum.",
    }),
    distractors: whole(0, {
      atLeast: 0,
      atMost: DISTRACTORS.length,
      unit: "tools",
      help: "Tools that answer and help nobody.",
    }),
    turnLimit: whole(0, {
      atLeast: 0,
      atMost: 100,
      unit: "turns",
      help: "Length of an episode; 0 is the environment's own number for the level.",
    }),
    tokenLimit: whole(0, {
      atLeast: 0,
      atMost: 100,
      unit: "tokens",
      help: "L: length of a turn; 0 is the length of the longest call.",
    }),
    turnCost: fraction(0, { help: "Subtracted from the reward of every turn." }),
    reward: oneOf(["outcome", "verification", "checklist", "proxy"], {
      help: "Which reward is paid; the true score is in info whatever is paid.",
    }),
  }) as const satisfies Fields;

/** Options of every tool environment. */
export type ToolOptions = ValueOf<ReturnType<typeof toolFields>>;

/**
 * - `outcome`: the true score, in the last turn.
 * - `verification`: the outcome, and in every turn the gain in verified progress, given back at the end.
 * - `checklist`: the weight of each checklist item, in the turn in which it first counts.
 * - `proxy`: what a judge pays who cannot read the state; it can be gamed.
 */
export type RewardKind = ToolOptions["reward"];

const GENERATORS = ["level", "taskCount"] as const;

/**
 * The options of a tool environment, complete and checked.
 *
 * @throws {RangeError} if an option is unknown, a value is out of range, or tasks come with what chooses generated ones
 * @throws {TypeError} if a value has the wrong type
 */
export function readToolOptions<F extends Fields>(
  id: string,
  schema: Group<F>,
  given: { readonly level?: number; readonly taskCount?: number; readonly tasks?: readonly unknown[] },
): Static<Group<F>> {
  const o = readOptions(id, schema, given);
  const idle = GENERATORS.filter((key) => given[key] !== undefined);
  if (given.tasks && given.tasks.length > 0 && idle.length > 0) {
    throw new RangeError(
      `Cannot make ${id}: tasks must come without ${GENERATORS.join(" and ")}, which choose generated ones, got ${idle.join(" and ")}.`,
    );
  }
  return o;
}

/** The options that were made use of: `make(id, those)` gives the same environment. */
export function usedOptions(
  o: ToolOptions & { readonly tasks?: readonly unknown[] },
): Record<string, unknown> {
  if (!o.tasks || o.tasks.length === 0) return { ...o };
  const { level: _level, taskCount: _taskCount, ...used } = o;
  return used;
}
