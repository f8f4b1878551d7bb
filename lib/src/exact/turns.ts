import { exp } from "../base/elementary/exp";
import { power } from "../base/elementary/power";
import type { EnvSpec } from "../env/env";
import type { Policy } from "../policy/policy";

/** One turn that a policy may take, with its probability. */
export interface Turn {
  readonly tokens: readonly number[];
  readonly probability: number;
}

/** Every turn that a policy can take in a context; their probabilities sum to 1. */
export function enumerateTurns(spec: EnvSpec, policy: Policy, context: unknown): Turn[] {
  const turns: Turn[] = [];
  const extend = (prefix: readonly number[], probability: number): void => {
    if (prefix.length === spec.maxTokens || (prefix.length > 0 && prefix.at(-1) === spec.endToken)) {
      turns.push({ tokens: prefix, probability });
      return;
    }
    const logProb = policy.nextTokenLogProb(context, prefix);
    for (let v = 0; v < logProb.length; v++) {
      const p = exp(logProb[v]!);
      if (p > 0) extend([...prefix, v], probability * p);
    }
  };
  extend([], 1);
  return turns;
}

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
      `Cannot list the turns of ${spec.id} as there must be at most ${MAX_TURNS}: ${V} tokens make ${V}^${spec.maxTokens}`,
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
