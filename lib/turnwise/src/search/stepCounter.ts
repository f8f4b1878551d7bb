import type { Action, Env, StepResult } from "../env/env";
import { Wrapper } from "../env/wrapper";

/**
 * An environment that counts the steps which were really taken in it, in its forks and in its branches: the cost by which
 * rules, searches and models are compared.
 *
 * A branch takes over the turns of its original and does not play them again, so a shared prefix counts once. What a model
 * plays in its head counts where the model itself is wrapped, and nowhere else.
 */
export class StepCounter extends Wrapper {
  readonly #count: { steps: number };

  constructor(inner: Env, count = { steps: 0 }) {
    super(inner);
    this.#count = count;
  }

  /** Steps taken so far in this environment and all that was copied from it. */
  get steps(): number {
    return this.#count.steps;
  }

  override step(action: Action): StepResult {
    const result = this.inner.step(action);
    this.#count.steps++;
    return result;
  }

  protected override rewrap(inner: Env): Env {
    return new StepCounter(inner, this.#count);
  }

  protected override rewrapRunning(inner: Env): Env {
    return new StepCounter(inner, this.#count);
  }
}

/**
 * Counts the environment steps that are really taken, forks and branches included.
 *
 * @example
 * import { make } from "turnwise";
 * import { countSteps } from "turnwise/search";
 *
 * const env = countSteps(make("TMaze-v0"));
 * env.reset({ seed: 0 });
 * env.step([0]);
 * const branch = env.branch(0)!;
 * branch.step([0]);
 * env.steps; // => 2
 */
export function countSteps(env: Env): StepCounter {
  return new StepCounter(env);
}
