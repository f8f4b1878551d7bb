import { GameEnv, make, type EnumerableEnv, type Env, type Outcome } from "turnwise/internal/env/index";

/** Walker of a maze: its state, as a judge of single steps sees it. */
interface Walker {
  readonly place: number;
}

/** TMaze-v0 with a judge of single steps: a step towards the junction and the right turn are good, all else is bad. */
export function judgedMaze(length: number): Env {
  const inner = make("TMaze-v0", { length }) as EnumerableEnv<Walker>;
  return new GameEnv({
    spec: inner.spec,
    start: () => inner.start(),
    transition: (state, action) =>
      inner.transition(state, action).map((outcome): Outcome<Walker> => {
        const verdict = outcome.info?.success === true || outcome.state.place > state.place ? 1 : -1;
        return { ...outcome, info: { ...outcome.info, verdict } };
      }),
    render: () => inner.render(),
  });
}
