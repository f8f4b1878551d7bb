import { GameEnv, type EnumerableEnv, type Outcome } from "turnwise/internal/env/index";

/** Errors of the judge of single steps. */
export const judges = Object.freeze({
  "never errs": { error: 0, distrusts: false },
  "errs at random, 20 %": { error: 0.2, distrusts: false },
  "errs at random, 40 %": { error: 0.4, distrusts: false },
  "distrusts answers": { error: 0, distrusts: true },
} as const);

/** The name of a judge. */
export type JudgeName = keyof typeof judges;

/** A world whose judge of single steps calls every answer false; nothing else changes, the reward included. */
export function distrustingAnswers(inner: EnumerableEnv): GameEnv<unknown> {
  return new GameEnv({
    spec: inner.spec,
    start: () => inner.start(),
    transition: (state, action) =>
      inner
        .transition(state, action)
        .map((outcome): Outcome<unknown> =>
          outcome.info?.call === "answer" ? { ...outcome, info: { ...outcome.info, verdict: -1 } } : outcome,
        ),
    render: () => inner.render(),
  });
}
