import { make } from "turnwise/internal/env/index";
import type { Env } from "turnwise/internal/env/env";
import { enumerateReturn } from "turnwise/internal/exact/enumerateReturn";
import { createPolicy } from "turnwise/internal/policy/create";
import type { Policy } from "turnwise/internal/policy/policy";

/** A small world, a policy that knows nothing yet, and an engine that samples it at another temperature. */
export interface HotEngine {
  readonly env: Env;
  readonly policy: Policy;
  readonly rollout: Policy;
}

/** LookUp-v0 with two facts, a table drawn at random, and an engine at temperature 1.6: small enough to enumerate everything. */
export function hotEngine(temperature = 1.6): HotEngine {
  const env = make("LookUp-v0", { facts: 2 });
  const policy = createPolicy(env.spec, { initialScale: 1, seed: 0 });
  enumerateReturn(env, policy); // a table has a row for each context that it has met
  const rollout = policy.clone();
  rollout.parameters.forEach((x, j) => (rollout.parameters[j] = x / temperature));
  return { env, policy, rollout };
}
