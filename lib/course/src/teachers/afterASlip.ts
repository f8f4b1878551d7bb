import { log } from "turnwise/internal/base/elementary/log";
import type { Env } from "turnwise/internal/env/index";
import type { Policy } from "turnwise/internal/policy/policy";

/** A context of the first turn, which nobody chooses. */
interface Slip {
  readonly slip: string;
}

/** A policy whose first turn is a random one, uniform over tokens: what it makes of a mistake. For enumeration alone. */
export function afterASlip({ spec }: Env, policy: Policy): Policy {
  const uniform = new Float64Array(spec.vocabulary.length).fill(-log(spec.vocabulary.length));
  return {
    name: `${policy.name} after a slip`,
    // Never asked for by an enumeration without gradient.
    parameters: new Float64Array(0),
    contextOf: (history): unknown =>
      history.actions.length === 0
        ? ({ slip: history.observations[0]!.text } satisfies Slip)
        : policy.contextOf(history),
    nextTokenLogProb: (context, prefix) =>
      typeof context === "object" && context !== null && "slip" in context
        ? uniform
        : policy.nextTokenLogProb(context, prefix),
    sample: (...given) => policy.sample(...given),
    evaluate: (...given) => policy.evaluate(...given),
    backward: (...given) => policy.backward(...given),
    clone: () => policy.clone(),
    state: () => policy.state(),
    restore: (state) => policy.restore(state),
  };
}
