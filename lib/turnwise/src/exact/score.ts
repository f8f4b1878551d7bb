import { power } from "../base/elementary/power";
import type { Env } from "../env/env";
import { expectEnumerable } from "./enumerateReturn";
import { optimalReturn } from "./optimalReturn";
import { allTurns } from "./turns";

/** Returns of a random and of the best possible agent, by enumeration. */
export interface ReferenceReturns {
  /** Expected return of the agent that writes uniform tokens. */
  readonly random: number;
  /** Expected return of the best policy under partial observation. */
  readonly optimal: number;
}

/**
 * The random and the optimal expected return of an enumerable environment.
 *
 * @throws {TypeError} if the environment cannot be enumerated
 * @throws {RangeError} if there are more than `maxBeliefs` information states
 */
export function referenceReturns(env: Env, o: { maxBeliefs?: number } = {}): ReferenceReturns {
  return { random: randomReturn(env), optimal: optimalReturn(env, o).J };
}

/**
 * Position of a mean return between random (0) and optimal (1), clamped to [0, 1].
 *
 * @throws {RangeError} if optimal does not exceed random, so that there is nothing to score
 * @example
 * import { score } from "turnwise";
 * score(0.7, { random: 0.2, optimal: 1.2 }); // => 0.5
 */
export function score(meanReturn: number, reference: ReferenceReturns): number {
  const range = reference.optimal - reference.random;
  if (!(range > 0)) {
    throw new RangeError(
      `Cannot score a return: optimal must exceed random, got ${reference.optimal} and ${reference.random}.`,
    );
  }
  return Math.min(1, Math.max(0, (meanReturn - reference.random) / range));
}

/**
 * The expected return of the agent that draws every token uniformly.
 *
 * @throws {TypeError} if the environment cannot be enumerated
 * @example
 * import { make } from "turnwise";
 * import { randomReturn } from "turnwise/exact";
 * randomReturn(make("LookUp-v0")); // => 0.0
 */
export function randomReturn(env: Env): number {
  const enumerable = expectEnumerable(env);
  const size = env.spec.vocabulary.length;
  const classes =
    enumerable.actionClasses?.() ??
    allTurns(env.spec).map((action) => ({ action, share: power(size, -action.length) }));
  const known = new Map<string, number>();
  const value = (state: unknown, turn: number): number => {
    const key = `${turn}/${JSON.stringify(state)}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const bounds = enumerable.returnBounds?.(state);
    let total = 0;
    if (bounds && bounds.least === bounds.most) return bounds.most;
    for (const { action, share } of classes) {
      for (const outcome of enumerable.transition(state, action)) {
        const goesOn = !outcome.terminated && turn + 1 < env.spec.maxTurns;
        total +=
          share * outcome.probability * (outcome.reward + (goesOn ? value(outcome.state, turn + 1) : 0));
      }
    }
    known.set(key, total);
    return total;
  };
  return enumerable.start().reduce((sum, { state, probability }) => sum + probability * value(state, 0), 0);
}
