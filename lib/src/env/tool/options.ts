import { expectRange, readOptions } from "../options";

/** What every tool environment understands. */
export interface ToolOptions {
  /** Difficulty, from 1; it chooses the tasks that are generated. */
  readonly level: number;
  /** How many generated tasks the episodes draw from. */
  readonly taskCount: number;
  /**
   * Episodes draw from the tasks of this level alone; 0 is all of them. The vocabulary is that of all tasks, so that one
   * policy can go through the levels of a curriculum.
   */
  readonly drawLevel: number;
  /** Tools that answer and help nobody, 0 to 4. */
  readonly distractors: number;
  /** Turns of an episode; 0 is the environment's own number for the level. */
  readonly turnLimit: number;
  /** L: tokens of a turn; 0 is the length of the longest call. */
  readonly tokenLimit: number;
  /** Subtracted from the reward of every turn. */
  readonly turnCost: number;
  /** Which reward is paid; the true score is in `info` whatever is paid. */
  readonly reward: RewardKind;
}

/**
 * - `outcome`: the true score, in the last turn.
 * - `verification`: the outcome, and in every turn the gain in verified progress, given back at the end.
 * - `checklist`: the weight of each checklist item, in the turn in which it first counts.
 * - `proxy`: what a judge pays who cannot read the state; it can be gamed.
 */
export type RewardKind = (typeof REWARD_KINDS)[number];

const REWARD_KINDS = ["outcome", "verification", "checklist", "proxy"] as const;

export const TOOL_DEFAULTS: ToolOptions = {
  level: 1,
  taskCount: 48,
  drawLevel: 0,
  distractors: 0,
  turnLimit: 0,
  tokenLimit: 0,
  turnCost: 0,
  reward: "outcome",
};

/** Tools that answer and help nobody. */
export const DISTRACTORS = ["CLOCK", "WEATHER", "NEWS", "HOROSCOPE"] as const;

/**
 * The options with their defaults.
 *
 * Throws RangeError for an unknown option, a value out of range, or tasks together with what chooses generated ones;
 * TypeError for a wrong type.
 */
export function readToolOptions<O extends ToolOptions & { readonly tasks: readonly unknown[] }>(
  id: string,
  defaults: O,
  given: Partial<O>,
  levels: number,
): O {
  const o = readOptions(id, defaults, given);
  const idle = GENERATORS.filter((key) => given[key] !== undefined);
  if (o.tasks.length > 0 && idle.length > 0) {
    throw new RangeError(
      `Cannot make ${id} as tasks must come without ${GENERATORS.join(" and ")}, which choose generated ones: current value has ${idle.join(" and ")}`,
    );
  }
  expectToolOptions(id, o, levels);
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

const GENERATORS = ["level", "taskCount"] as const;

function expectToolOptions(id: string, o: ToolOptions, levels: number): void {
  expectRange(id, "level", o.level, 1, levels, true);
  expectRange(id, "taskCount", o.taskCount, 1, 10_000, true);
  expectRange(id, "drawLevel", o.drawLevel, 0, levels, true);
  expectRange(id, "distractors", o.distractors, 0, DISTRACTORS.length, true);
  expectRange(id, "turnLimit", o.turnLimit, 0, 100, true);
  expectRange(id, "tokenLimit", o.tokenLimit, 0, 100, true);
  expectRange(id, "turnCost", o.turnCost, 0, 1);
  if (!REWARD_KINDS.includes(o.reward)) {
    throw new RangeError(
      `Cannot make ${id} as reward must be one of ${REWARD_KINDS.join(", ")}: current value is "${o.reward}"`,
    );
  }
}
