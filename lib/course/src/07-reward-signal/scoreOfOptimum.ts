import { Wrapper, type Action, type Env, type Outcome, type StepResult } from "turnwise/internal/env/index";
import { optimalReturn } from "turnwise/internal/exact/index";

/** Pays `(1 - weight) * reward + weight * trueScore`; the score is paid in the turn that ends the episode. */
class Mixed extends Wrapper {
  constructor(
    inner: Env,
    readonly weight: number,
  ) {
    super(inner);
    const mix = this.#mix.bind(this);
    const { transition } = this;
    if (!transition) return;
    this.returnBounds = () => undefined; // the inner ones are those of the unmixed reward
    this.transition = (state, action) =>
      transition(state, action).map((outcome): Outcome<unknown> => ({
        ...outcome,
        reward: mix(outcome.reward, outcome.info),
      }));
  }

  override step(action: Action): StepResult {
    const [observation, reward, terminated, truncated, info] = super.step(action);
    return [observation, this.#mix(reward, info), terminated, truncated, info];
  }

  protected override rewrap(inner: Env): Env {
    return new Mixed(inner, this.weight);
  }

  #mix(reward: number, info: Readonly<Record<string, unknown>> | undefined): number {
    return (1 - this.weight) * reward + this.weight * Number(info?.["trueScore"] ?? 0);
  }
}

/** An environment whose reward is mixed with the true score, where it reports one. */
export function mixedReward(env: Env, weight: number): Env {
  return new Mixed(env, weight);
}

/** True score of a policy that is optimal for a reward. */
export interface ScoreOfOptimum {
  /** Expected return of an optimal policy. */
  readonly J: number;
  /** The least and the largest true score that an optimal policy can have. */
  readonly low: number;
  readonly high: number;
}

const EPSILON = 1e-6;

/**
 * Share of the true score that a reward determines: the range of true scores over all of its optimal policies.
 *
 * ```
 * J(w) = max_pi (1 - w) R(pi) + w S(pi);   high = (J(e) - (1 - e) J(0)) / e,   low = ((1 + e) J(0) - J(-e)) / e
 * ```
 * J is the largest of finitely many lines in w, so both are exact for an e below its first kinks, up to round-off of 1e-9.
 *
 * @throws {TypeError} if the environment cannot be enumerated
 */
export function scoreOfOptimum(env: Env): ScoreOfOptimum {
  const at = (weight: number): number => optimalReturn(mixedReward(env, weight)).J;
  const J = at(0);
  return {
    J,
    low: ((1 + EPSILON) * J - at(-EPSILON)) / EPSILON,
    high: (at(EPSILON) - (1 - EPSILON) * J) / EPSILON,
  };
}

/** Optimum of a mixture of two rewards. */
export interface MixedOptimum {
  readonly weight: number;
  /** Expected return in the environment's own reward, and expected true score, of a policy that is optimal for the mixture. */
  readonly reward: number;
  readonly score: number;
}

/**
 * Parts of `mixedReward(env, weight)` that an optimal policy gets. Where the optimum changes at `weight`, the one just
 * above it.
 *
 * ```
 * S = J(w) + (1 - w) J'(w),   R = J(w) - w J'(w),   J' from the right
 * ```
 *
 * @throws {TypeError} if the environment cannot be enumerated
 */
export function mixedOptimum(env: Env, weight: number): MixedOptimum {
  const at = (w: number): number => optimalReturn(mixedReward(env, w)).J;
  const J = at(weight);
  const slope = (at(weight + EPSILON) - J) / EPSILON;
  return { weight, reward: J - weight * slope, score: J + (1 - weight) * slope };
}
