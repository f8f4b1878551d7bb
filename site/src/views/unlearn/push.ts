import {
  chance,
  expectedPush,
  usualSalary as salary,
} from "turnwise-course/internal/02-impossibility-theorem/push";

/** The two choices of every morning, and the rule. */
export interface Morning {
  readonly group: number;
  /** Pay of the machine in one pull out of four. */
  readonly prize: number;
  readonly divide: boolean;
}

export { salary };

/** Mean pay of a pull of the machine. */
export const worthOf = ({ prize }: Pick<Morning, "prize">): number => chance * prize;

/** The exact push toward the machine of an agent that chooses it with probability p: no sample is drawn. */
export const pushAt = (p: number, { group, prize, divide }: Morning): number =>
  expectedPush(p, { groupSize: group, prize, divideByStd: divide });

/** The push at every policy that is drawn, as a share of the strongest. */
export interface Field {
  readonly places: readonly number[];
  readonly pushes: readonly number[];
  /** Share of these policies at which the push is away from the better choice. */
  readonly wrong: number;
}

const PLACES = 49;

export function fieldOf(morning: Morning): Field {
  const places = Array.from({ length: PLACES }, (_, i) => (i + 1) / (PLACES + 1));
  const raw = places.map((p) => pushAt(p, morning));
  const strongest = Math.max(...raw.map(Math.abs), Number.MIN_VALUE);
  const better = Math.sign(worthOf(morning) - salary);
  const pushes = raw.map((push) => push / strongest);
  return { places, pushes, wrong: pushes.filter((push) => push * better < 0).length / PLACES };
}

const UPDATES = 240;
const STEP = 0.6;

/**
 * The policies of an agent that follows the expected update, from its start on: theta += step p (1 - p) push. The length of a
 * step is relative to the strongest push, since a prize of 100 would else be one leap; its direction is exact.
 */
export function courseOf(start: number, morning: Morning): number[] {
  const { places, pushes } = fieldOf(morning);
  const at = (p: number): number => {
    const x = Math.min(Math.max(p * (PLACES + 1) - 1, 0), PLACES - 1);
    const left = Math.min(Math.floor(x), PLACES - 2);
    return pushes[left]! + (x - left) * (pushes[left + 1]! - pushes[left]!);
  };
  let theta = Math.log(start / (1 - start));
  const course = [start];
  for (let i = 0; i < UPDATES && places.length > 0; i++) {
    const p = course.at(-1)!;
    theta += STEP * 4 * p * (1 - p) * at(p);
    course.push(1 / (1 + Math.exp(-theta)));
  }
  return course;
}

/** Choice of the agent in the end. */
export type Ending = "machine" | "salary" | "between";

export const endingOf = (course: readonly number[]): Ending => {
  const last = course.at(-1)!;
  return last > 0.9 ? "machine" : last < 0.1 ? "salary" : "between";
};
