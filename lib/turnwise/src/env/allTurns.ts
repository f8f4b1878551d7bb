import { power } from "../base/elementary/power";
import type { EnvSpec } from "./env";

const MAX_TURNS = 500_000;

/**
 * Every turn in the action space: V^L of them, or fewer with an end token.
 *
 * @throws {RangeError} if there are more than half a million
 */
export function allTurns(spec: EnvSpec): (readonly number[])[] {
  const { length: V } = spec.vocabulary;
  if (power(V, spec.maxTokens) > MAX_TURNS) {
    throw new RangeError(
      `Cannot list the turns of ${spec.id}: there must be at most ${MAX_TURNS}, but ${V} tokens make ${V}^${spec.maxTokens}.`,
    );
  }
  const turns: (readonly number[])[] = [];
  const extend = (prefix: readonly number[]): void => {
    if (prefix.length === spec.maxTokens || (prefix.length > 0 && prefix.at(-1) === spec.endToken)) {
      turns.push(prefix);
      return;
    }
    for (let v = 0; v < spec.vocabulary.length; v++) extend([...prefix, v]);
  };
  extend([]);
  return turns;
}
