import { expectedAdvantageByArm } from "turnwise/internal/exact/groupExpectation";

/** The slot machine, and how the rule compares the members of a group. */
export interface PushDials {
  readonly groupSize: number;
  readonly divideByStd: boolean;
  /** Prize of the machine (1), in one pull out of four. */
  readonly prize?: number;
  /** Salary (.15). */
  readonly salary?: number;
}

/** Probability that the machine pays. */
export const chance = 0.25;

/** The salary, unless another is given. */
export const usualSalary = 0.15;

/** Policies at which the push is looked at: pi(machine) = 1/40, 2/40, ..., 39/40. */
export const policies: readonly number[] = Array.from({ length: 39 }, (_, i) => (i + 1) / 40);

/** The push at each of the policies. */
export const pushesOf = (dials: PushDials): readonly number[] => policies.map((p) => expectedPush(p, dials));

/** At how many of the policies the expected update makes the worse of the two choices likelier. */
export function wrongPushes(dials: PushDials, pushes: readonly number[] = pushesOf(dials)): number {
  const { prize = 1, salary = usualSalary } = dials;
  return pushes.filter((push) => push * (chance * prize - salary) < 0).length;
}

/** E[A | machine] - E[A | salary] at p = pi(machine): where it is above 0, the expected update makes the machine likelier. */
export function expectedPush(
  p: number,
  { groupSize, divideByStd, prize = 1, salary = usualSalary }: PushDials,
): number {
  const arms = [
    { value: [salary], probability: [1] },
    { value: [0, prize], probability: [1 - chance, chance] },
  ];
  const scale = divideByStd ? "group" : "none";
  const [sure, machine] = expectedAdvantageByArm(arms, [1 - p, p], { groupSize, scale });
  return machine! - sure!;
}
