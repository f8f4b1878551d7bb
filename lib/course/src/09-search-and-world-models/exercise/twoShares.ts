import { createRng, type Rng } from "turnwise/internal/base/rng";
import { closeLists, diagnose, isNumbers, type Kind, type Mistake } from "../../shared/exercise/diagnose";
import { eight } from "../../shared/exercise/numbers";
import type { Passed } from "../../shared/exercise/verdict";

/** Divides what two agents earn together by Shapley, from what nobody, each alone and both of them earn. */
export type TwoSharesAnswer = (
  nobody: number,
  first: number,
  second: number,
  both: number,
) => ArrayLike<number>;

type Game = readonly [nobody: number, first: number, second: number, both: number];
type Shares = ArrayLike<number>;

const draw = (rng: Rng): number => Math.round(100 * rng.next()) / 100 - 0.3;

const kinds = (rng: Rng): Kind<Game>[] => [
  {
    label: "nothing earned by nobody",
    inputs: eight(rng, "plain", (r): Game => [0, draw(r), draw(r), 1 + draw(r)]),
  },
  {
    label: "something earned by nobody",
    inputs: eight(rng, "start", (r): Game => [0.2 + r.next(), draw(r), draw(r), 1 + draw(r)]),
    sentence: "it is wrong where something is earned with both of them silent; who joins first adds to that.",
  },
];

const mistakes: readonly Mistake<Game, Shares>[] = [
  {
    sentence: "it is what would be lost without each agent; these do not add up to what the two gain.",
    run: ([, a, b, both]) => [both - b, both - a],
  },
  {
    sentence: "it is what each earns alone; what they add to the other is missing.",
    run: ([nobody, a, b]) => [a - nobody, b - nobody],
  },
  {
    sentence: "it halves the gain; an agent that adds more in each order must get more.",
    run: ([nobody, , , both]) => [(both - nobody) / 2, (both - nobody) / 2],
  },
  {
    sentence: "it adds the two orders up; each of them has the chance 1/2.",
    run: ([nobody, a, b, both]) => [a - nobody + both - b, b - nobody + both - a],
  },
  {
    sentence: "the two shares are exchanged.",
    run: ([nobody, a, b, both]) => [(b - nobody + both - a) / 2, (a - nobody + both - b) / 2],
  },
  {
    sentence: "it divides all that both earn; what is earned without them belongs to neither.",
    run: ([, a, b, both]) => [(a + both - b) / 2, (b + both - a) / 2],
  },
];

/**
 * phi_first = ((v(first) - v(nobody)) + (v(both) - v(second))) / 2, and the other way round.
 *
 * @see Shapley, "A value for n-person games" (1953); SHARP, arXiv 2602.08335
 */
export function checkTwoShares(answer: TwoSharesAnswer): Passed {
  return diagnose<Game, Shares>({
    exercise: "twoShares",
    kinds: kinds(createRng(1).split("twoShares")),
    right: ([nobody, a, b, both]) => [(a - nobody + both - b) / 2, (b - nobody + both - a) / 2],
    mistakes,
    form: (output) =>
      isNumbers(output) && output.length === 2
        ? undefined
        : "it must return a list of two numbers, the shares of the first agent and of the second.",
    same: closeLists,
    call: (game) => answer(...game),
  });
}
