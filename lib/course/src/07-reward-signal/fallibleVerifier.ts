import { GameEnv, make, type Action, type EnumerableEnv, type Outcome } from "turnwise/internal/env/index";
import { scoreOfOptimum, type ScoreOfOptimum } from "./scoreOfOptimum";

/** Errors of a verifier. */
export interface Verifier {
  /** Probability that its verdict is turned round, whatever the answer. */
  readonly error: number;
  /** An answer that it always accepts. */
  readonly accepts?: string;
}

/**
 * Two verifiers that are wrong equally often about an agent who guesses: one at random, one about a single answer.
 *
 * A blind `ANSWER 2` is taken for right in three guesses of sixteen: 2 is guessed one time in four, and wrong in three of four.
 */
export const verifiers = Object.freeze({
  "never errs": { error: 0 },
  "errs at random": { error: 3 / 16 },
  "errs twice as often": { error: 3 / 8 },
  "always accepts 2": { error: 0, accepts: "2" },
} as const satisfies Readonly<Record<string, Verifier>>);

/** The name of a verifier. */
export type VerifierName = keyof typeof verifiers;

const RIGHT = 1;
const WRONG = -1 / 3;

/**
 * LookUp-v0 whose answers are paid by a verifier that can fail: 1 if it takes the answer for right, else -1/3.
 *
 * ```
 * E[paid | answer] = WRONG + (RIGHT - WRONG) (e + (1 - 2 e) [right]),   so an e below 1/2 leaves the order of all answers as it is
 * ```
 * `info.trueScore` is 1 where the answer was right, whatever was paid.
 */
export function fallibleVerifier({ error, accepts }: Verifier): GameEnv<unknown> {
  const inner = make("LookUp-v0", { wrongPenalty: -WRONG }) as EnumerableEnv;
  const { vocabulary } = inner.spec;
  const verdicts = (outcome: Outcome<unknown>, [, argument]: Action): Outcome<unknown>[] => {
    const right = outcome.info?.["success"] === true;
    const info = { ...outcome.info, trueScore: right ? 1 : 0 };
    if (outcome.info?.["call"] !== "answer") return [{ ...outcome, info }];
    const taken = right || vocabulary[argument!] === accepts;
    return [
      { verdict: taken, share: 1 - error },
      { verdict: !taken, share: error },
    ]
      .filter(({ share }) => share > 0)
      .map(({ verdict, share }) => ({
        ...outcome,
        info,
        probability: outcome.probability * share,
        reward: verdict ? RIGHT : WRONG,
      }));
  };
  return new GameEnv({
    spec: inner.spec,
    start: () => inner.start(),
    transition: (state, action) =>
      inner.transition(state, action).flatMap((outcome) => verdicts(outcome, action)),
    render: (state) => JSON.stringify(state),
  });
}

/** True scores of agents that are optimal for each verifier. */
export function optimaUnderVerifiers(): Readonly<Record<VerifierName, ScoreOfOptimum>> {
  const names = Object.keys(verifiers) as VerifierName[];
  return Object.fromEntries(
    names.map((name) => [name, scoreOfOptimum(fallibleVerifier(verifiers[name]))]),
  ) as Record<VerifierName, ScoreOfOptimum>;
}
