import { exp } from "turnwise/internal/base/elementary/exp";
import { createRng, type Rng } from "turnwise/internal/base/rng";
import { closeLists, diagnose, type Kind, type Mistake } from "../../shared/exercise/diagnose";
import { eight, formOfNumbers } from "../../shared/exercise/numbers";
import type { Passed } from "../../shared/exercise/verdict";

/** Computes what each token's log-prob gets from PPO's clipped objective: its derivative. */
export type ClipGateAnswer = (
  ratio_l: readonly number[],
  advantage_l: readonly number[],
  epsilon: number,
) => ArrayLike<number>;

interface Tokens {
  readonly ratio_l: readonly number[];
  readonly advantage_l: readonly number[];
  readonly epsilon: number;
}

function tokensOf(rng: Rng, sign: number): Tokens {
  const epsilon = 0.1 + 0.2 * rng.next();
  const shifts = [-3, -1.5, -0.5, 0.5, 1.5, 3];
  return {
    // Below, inside and above the window; none lies on its edge.
    ratio_l: shifts.map((shift) => exp(shift * epsilon * (0.95 + 0.1 * rng.next()))),
    advantage_l: shifts.map(() => sign * (0.2 + rng.next())),
    epsilon,
  };
}

const kinds = (rng: Rng): Kind<Tokens>[] => [
  { label: "positive advantages", inputs: eight(rng, "positive", (r) => tokensOf(r, 1)) },
  {
    label: "negative advantages",
    inputs: eight(rng, "negative", (r) => tokensOf(r, -1)),
    sentence: "it is right for positive advantages and wrong for negative ones.",
  },
];

const clip = (x: number, epsilon: number): number => Math.min(Math.max(x, 1 - epsilon), 1 + epsilon);

const perToken = (
  { ratio_l, advantage_l, epsilon }: Tokens,
  f: (ratio: number, advantage: number, clipped: number) => number,
): number[] => ratio_l.map((ratio, l) => f(ratio, advantage_l[l]!, clip(ratio, epsilon)));

const right = (t: Tokens): number[] => perToken(t, (r, A, c) => (c * A < r * A ? 0 : r * A));

const mistakes: readonly Mistake<Tokens, ArrayLike<number>>[] = [
  {
    sentence:
      "it stops every ratio outside of the window; one on the wrong side for its advantage may come back.",
    run: (t) => perToken(t, (r, A, c) => (c === r ? r * A : 0)),
  },
  {
    sentence: "it leaves out the ratio; the derivative of a ratio in the log-prob is not 1.",
    run: (t) => perToken(t, (r, A, c) => (c * A < r * A ? 0 : A)),
  },
  {
    sentence: "it returns the clipped objective; its derivative is asked for.",
    run: (t) => perToken(t, (r, A, c) => Math.min(r * A, c * A)),
  },
  {
    sentence: "it multiplies by the clipped ratio; where the clip holds, a constant is differentiated.",
    run: (t) => perToken(t, (_r, A, c) => c * A),
  },
  {
    sentence: "it takes the larger of the two objectives; PPO takes the smaller.",
    run: (t) => perToken(t, (r, A, c) => (c * A > r * A ? 0 : r * A)),
  },
  {
    sentence: "it is the derivative of the loss; that of the objective has the other sign.",
    run: (t) => right(t).map((x) => -x),
  },
  {
    sentence: "nothing is clipped: every token is pushed.",
    run: (t) => perToken(t, (r, A) => r * A),
  },
  {
    sentence: "it takes the epsilon for positive advantages only: ratios below the window go on falling.",
    run: (t) => perToken(t, (r, A, c) => (A > 0 && c < r ? 0 : r * A)),
  },
];

/**
 * d min(r A, clip(r) A) / d log-prob: r A where the minimum is not the clipped term, and 0 where it is.
 *
 * @see PPO, arXiv 1707.06347, Eq. 7
 */
export function checkClipGate(answer: ClipGateAnswer): Passed {
  return diagnose<Tokens, ArrayLike<number>>({
    exercise: "clipGate",
    kinds: kinds(createRng(1).split("clipGate")),
    right,
    mistakes,
    form: (output, { ratio_l }) => formOfNumbers(output, ratio_l.length, "token"),
    same: closeLists,
    call: ({ ratio_l, advantage_l, epsilon }) => answer([...ratio_l], [...advantage_l], epsilon),
  });
}
