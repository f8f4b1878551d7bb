import { createRng, type Rng } from "turnwise/internal/base/rng";
import { close, diagnose, type Kind, type Mistake } from "../../shared/exercise/diagnose";
import { mean, sum } from "../../shared/exercise/groups";
import { eight, formOfNumber } from "../../shared/exercise/numbers";
import type { Passed } from "../../shared/exercise/verdict";

/** Computes the mean advantage of the slot machine beside the salary from its prizes and their chances. */
export type ExpectedPushAnswer = (
  prize_k: readonly number[],
  chance_k: readonly number[],
  salary: number,
) => number;

interface Machine {
  readonly prize_k: readonly number[];
  readonly chance_k: readonly number[];
  readonly salary: number;
}

function machineOf(rng: Rng, prizes: number, ties: boolean): Machine {
  const salary = 0.2 + rng.next();
  // The first prizes lie above and below the salary, so that winning and losing both happen.
  const away = Array.from({ length: prizes }, (_, k) => (k % 2 === 0 ? 1 : -1) * (0.1 + 3 * rng.next()));
  const weight = away.map(() => 0.1 + rng.next());
  const chance_k = weight.map((one) => one / sum(weight));
  return { prize_k: away.map((x, k) => (ties && k === 0 ? salary : salary + x)), chance_k, salary };
}

const kinds = (rng: Rng): Kind<Machine>[] => [
  { label: "two prizes", inputs: eight(rng, "two", (r) => machineOf(r, 2, false)) },
  { label: "more than two prizes", inputs: eight(rng, "more", (r) => machineOf(r, 5, false)) },
  {
    label: "a prize as high as the salary",
    inputs: eight(rng, "tie", (r) => machineOf(r, 3, true)),
    sentence: "it is wrong when both earn the same; nobody did better than the mean of the group then.",
  },
];

const weighted = ({ prize_k, chance_k, salary }: Machine, f: (difference: number) => number): number =>
  sum(prize_k.map((prize, k) => chance_k[k]! * f(prize - salary)));

const mistakes: readonly Mistake<Machine, number>[] = [
  {
    sentence: "it does not divide by the std of the group.",
    run: (m) => weighted(m, (d) => d / 2),
  },
  {
    sentence: "it divides by the std with n - 1; the task takes the one with n.",
    run: (m) => weighted(m, (d) => Math.sign(d) / Math.SQRT2),
  },
  {
    sentence: "it compares with the salary; the advantage compares with the mean of the group.",
    run: (m) => weighted(m, (d) => 2 * Math.sign(d)),
  },
  {
    sentence: "it takes the mean of the prizes first; each prize makes a group of its own.",
    run: (m) => Math.sign(weighted(m, (d) => d)),
  },
  {
    sentence: "it counts every prize alike; some come more often than others.",
    run: ({ prize_k, salary }) => mean(prize_k.map((prize) => Math.sign(prize - salary))),
  },
  {
    sentence: "it is the advantage of the salary; the machine's is asked for.",
    run: (m) => -weighted(m, Math.sign),
  },
  {
    sentence: "it divides 0 by 0 when both earn the same; nobody did better than the mean of the group then.",
    run: (m) => weighted(m, (d) => d / Math.abs(d)),
  },
];

/**
 * Sum over the prizes of chance_k * sign(prize_k - salary): what is left of a pair, divided by its std, is who won.
 *
 * @see SeeUPO, arXiv 2602.06554, section 3: what the std of a group costs
 */
export function checkExpectedPush(answer: ExpectedPushAnswer): Passed {
  return diagnose<Machine, number>({
    exercise: "expectedPush",
    kinds: kinds(createRng(1).split("expectedPush")),
    right: (m) => weighted(m, Math.sign),
    mistakes,
    form: formOfNumber,
    same: close,
    call: ({ prize_k, chance_k, salary }) => answer([...prize_k], [...chance_k], salary),
  });
}
