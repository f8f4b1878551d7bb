import { exp } from "turnwise/internal/base/elementary/exp";
import { log } from "turnwise/internal/base/elementary/log";
import { createRng, type Rng } from "turnwise/internal/base/rng";
import { closeLists, diagnose, type Kind, type Mistake } from "../../shared/exercise/diagnose";
import { sum } from "../../shared/exercise/groups";
import { eight, formOfNumbers } from "../../shared/exercise/numbers";
import type { Passed } from "../../shared/exercise/verdict";

/** Pays every turn by information gain, from the log-probs of the right answer's tokens before each turn, and the outcome. */
export type InformationGainAnswer = (
  logProb_tl: readonly (readonly number[])[],
  outcome: number,
) => ArrayLike<number>;

interface Played {
  readonly logProb_tl: readonly (readonly number[])[];
  readonly outcome: number;
}

const played = (rng: Rng, turns: number, tokens: number, outcome: number): Played => ({
  logProb_tl: Array.from({ length: turns }, () =>
    Array.from({ length: tokens }, () => log(0.05 + 0.9 * rng.next())),
  ),
  outcome,
});

const kinds = (rng: Rng): Kind<Played>[] => [
  {
    label: "an answer of one token and a right outcome",
    inputs: eight(rng, "plain", (r) => played(r, 3, 1, 1)),
  },
  { label: "a wrong outcome", inputs: eight(rng, "wrong", (r) => played(r, 4, 1, 0)) },
  { label: "an answer of several tokens", inputs: eight(rng, "long", (r) => played(r, 3, 3, 1)) },
  { label: "a single turn", inputs: eight(rng, "single", (r) => played(r, 1, 2, r.next())) },
];

type Belief = (logProb_l: readonly number[]) => number;

const believed: Belief = (logProb_l) => exp(sum(logProb_l) / logProb_l.length);

/** Increase of the belief from this turn to the next one; the last turn gets the outcome. */
function paid({ logProb_tl, outcome }: Played, belief: Belief = believed): number[] {
  const p = logProb_tl.map(belief);
  return p.map((now, t) => (t + 1 < p.length ? p[t + 1]! - now : outcome));
}

const mistakes: readonly Mistake<Played, ArrayLike<number>>[] = [
  {
    sentence: "it turns the gain round: a turn is paid for what is believed after it and was not before.",
    run: (o) => paid(o).map((r, t, all) => (t + 1 < all.length ? -r : r)),
  },
  {
    sentence: "it pays the gain one turn too late, to the turn that follows.",
    run: (o) => [0, ...paid(o).slice(0, -1)].map((r, t, all) => (t + 1 < all.length ? r : r + o.outcome)),
  },
  {
    sentence: "it forgets the outcome, which the last turn is paid.",
    run: (o) => paid({ ...o, outcome: 0 }),
  },
  {
    sentence: "it pays every turn the outcome; only the last one gets it.",
    run: (o) => paid(o).map((r, t, all) => (t + 1 < all.length ? r + o.outcome : r)),
  },
  {
    sentence: "it pays the belief itself; only what a turn adds to it counts.",
    run: (o) => o.logProb_tl.map((_, t, all) => (t + 1 < all.length ? believed(all[t + 1]!) : o.outcome)),
  },
  {
    sentence: "it takes differences of log-probs; differences of probabilities are asked for.",
    run: (o) => paid(o, (l) => sum(l) / l.length),
  },
  {
    sentence: "it multiplies the tokens' probabilities; their geometric mean is asked for.",
    run: (o) => paid(o, (l) => exp(sum(l))),
  },
  {
    sentence: "it takes the mean of the tokens' probabilities; the mean is of their log-probs.",
    run: (o) => paid(o, (l) => sum(l.map((one) => exp(one))) / l.length),
  },
];

/**
 * r_t = p_{t+1} - p_t with p = exp(mean log-prob of the answer's tokens), and the outcome for the last turn.
 *
 * @see IGPO, arXiv 2510.14967
 */
export function checkInformationGain(answer: InformationGainAnswer): Passed {
  return diagnose<Played, ArrayLike<number>>({
    exercise: "informationGain",
    kinds: kinds(createRng(1).split("informationGain")),
    right: (o) => paid(o),
    mistakes,
    form: (output, { logProb_tl }) => formOfNumbers(output, logProb_tl.length, "turn"),
    same: closeLists,
    call: ({ logProb_tl, outcome }) =>
      answer(
        logProb_tl.map((l) => [...l]),
        outcome,
      ),
  });
}
