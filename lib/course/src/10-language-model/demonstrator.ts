import { expectWithin } from "turnwise/internal/base/expect";
import type { Env } from "turnwise/internal/env/index";
import type { Teacher } from "turnwise/internal/train/imitate/demonstrations";
import { calculatorDemonstrator } from "./calculatorDemonstrator";
import { searchQaDemonstrator } from "./searchQaDemonstrator";

/** Probability with which a demonstrator solves the task. */
export interface DemonstratorOptions {
  /** Share of its turns, where it would matter, in which it makes use of what the tool has shown. */
  readonly skill: number;
}

/**
 * One who always writes well-formed calls, and only sometimes makes use of their results.
 *
 * In `Calculator-v0` it writes the question into a call, thinks it through, or guesses an answer, one as often as the others;
 * once a result is there, it hands that in with probability `skill`. In `SearchQa-v0` a turn follows the question with
 * probability `skill`, and is any well-formed call otherwise. It needs the world's `syntax: "digits"`.
 *
 * @throws {RangeError} if nobody has shown how to act in that world, or `skill` is not in [0, 1]
 */
export function demonstrator(env: Env, { skill }: DemonstratorOptions): Teacher {
  expectWithin("demonstrations", "skill", skill, 0, 1);
  const { id, options } = env.spec;
  if (id === "SearchQa-v0") return searchQaDemonstrator(env, skill);
  if (id === "Calculator-v0" && options["syntax"] === "digits") return calculatorDemonstrator(env, skill);
  throw new RangeError(
    `Cannot demonstrate: the world must be SearchQa-v0 or Calculator-v0 with syntax "digits", got ${id}.`,
  );
}
