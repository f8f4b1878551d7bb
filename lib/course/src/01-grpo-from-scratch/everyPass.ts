import type { Batch } from "turnwise/internal/batch/batch";
import type { Policy } from "turnwise/internal/policy/policy";
import type { Passes } from "./drawPasses";

/**
 * Log-probs of a batch's tokens before the first pass and after each, while `step` moves the policy.
 *
 * @param passes number of passes over the batch
 * @example
 * import { collect, createPolicy, createRng, make } from "turnwise";
 * import { everyPass } from "turnwise-course/grpo-from-scratch";
 * const world = make("LookUp-v0");
 * const policy = createPolicy(world.spec);
 * const batch = collect(world, policy, { groups: 1, groupSize: 2, rng: createRng(0) });
 * everyPass(policy, batch, 3, () => undefined).length; // => 4
 */
export function everyPass<P extends Pick<Policy, "evaluate">>(
  policy: P,
  batch: Batch,
  passes: number,
  step: (policy: P) => void,
): Passes {
  return Array.from({ length: passes + 1 }, (_, pass) => {
    if (pass > 0) step(policy);
    return policy.evaluate(batch).logProb_ntl;
  });
}
