import type { Env, EnumerableEnv } from "../env/env";
import { expectEnumerable } from "./enumerateReturn";

/**
 * The world with a reward of 1 for a solved task and nothing else, so that values are success probabilities.
 *
 * @throws {TypeError} if the environment cannot be enumerated
 */
export function paidForSuccess(env: Env): EnumerableEnv {
  const world = expectEnumerable(env);
  return {
    spec: world.spec,
    observationSpace: world.observationSpace,
    actionSpace: world.actionSpace,
    start: () => world.start(),
    transition: (state, action) =>
      world
        .transition(state, action)
        .map((outcome) => ({ ...outcome, reward: outcome.info?.["success"] === true ? 1 : 0 })),
    reset: (o) => world.reset(o),
    step: (action) => world.step(action),
    render: () => world.render(),
    close: () => {
      world.close();
    },
  };
}
