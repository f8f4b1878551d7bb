import { allTurns } from "../../env/allTurns";
import { isEnumerable, type Action, type Env } from "../../env/env";
import type { Game } from "../../env/game";

/**
 * The exact model of a world that lists its outcomes: the world itself, as a game.
 *
 * @throws {TypeError} if the environment cannot be enumerated
 */
export function modelGame(env: Env): Game<unknown> {
  if (!isEnumerable(env)) {
    throw new TypeError(
      `Cannot model ${env.spec.id}: the environment must list its outcomes, but start and transition are missing.`,
    );
  }
  return {
    spec: env.spec,
    start: () => env.start(),
    transition: (state, action) => env.transition(state, action),
    actionClasses: () => env.actionClasses?.(),
    returnBounds: (state) => env.returnBounds?.(state),
    render: (state) => JSON.stringify(state),
  };
}

/** One action of each class, or every action where there are no classes. */
export function representatives(game: Game<unknown>): readonly Action[] {
  return game.actionClasses?.()?.map(({ action }) => action) ?? allTurns(game.spec);
}
