import { expectedAdvantageParts } from "turnwise/internal/exact/groupExpectation";
import type { SurrogateRow } from "turnwise/internal/exact/surrogateRow";

/**
 * The slot machine as a surrogate sees it from an even policy: the machine pays 1 in one pull out of four, else 0; the salary
 * is sure. Actions are salary and machine.
 */
export function surrogateRow(o: {
  readonly salary: number;
  readonly scale: "none" | "group";
  readonly groupSize: number;
}): SurrogateRow {
  const { salary, ...group } = o;
  const old = [0.5, 0.5];
  // The chance of each return, 0, the salary or 1, for either action.
  const returns = [
    [0, 1, 0],
    [0.75, 0, 0.25],
  ];
  const probability = [0, 1, 2].map((k) => 0.5 * returns[0]![k]! + 0.5 * returns[1]![k]!);
  const parts = expectedAdvantageParts({ value: [0, salary, 1], probability }, group);
  const sum = (part: ArrayLike<number>): number[] =>
    returns.map((p, a) => old[a]! * p.reduce((total, x, k) => total + x * part[k]!, 0));
  return { old, positive: sum(parts.positive), negative: sum(parts.negative) };
}
