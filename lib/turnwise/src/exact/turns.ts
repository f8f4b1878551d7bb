import { exp } from "../base/elementary/exp";
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

export { allTurns } from "../env/allTurns";
