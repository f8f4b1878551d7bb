import { power } from "turnwise/internal/base/elementary/power";
import type { Policy } from "turnwise/internal/policy/index";

/**
 * A policy that samples with rounded weights and is trained with exact ones, as when one engine writes the rollouts and
 * another one learns from them.
 *
 * The log-probs that come with a sample are the sampler's. 8 significant bits are those of bfloat16, 4 and 3 those of the
 * two formats of 8-bit floats.
 */
export function roundedSampler(policy: Policy, bits: number): Policy {
  const sampler = policy.clone();
  const own: Policy = {
    name: policy.name,
    parameters: policy.parameters,
    ...(policy.computeKind !== undefined && { computeKind: policy.computeKind }),
    contextOf: (history) => policy.contextOf(history),
    sample(histories, rngs, options) {
      policy.parameters.forEach((weight, i) => (sampler.parameters[i] = rounded(weight, bits)));
      return sampler.sample(histories, rngs, options);
    },
    evaluate: (...given) => policy.evaluate(...given),
    backward: (...given) => policy.backward(...given),
    nextTokenLogProb: (context, prefix) => policy.nextTokenLogProb(context, prefix),
    clone: () => roundedSampler(policy.clone(), bits),
    state: () => policy.state(),
    restore: (state) => policy.restore(state),
  };
  if (policy.sparseBackward) own.sparseBackward = (...given) => policy.sparseBackward!(...given);
  return own;
}

/** To so many significant bits, by Veltkamp's splitting: exact arithmetic on every engine. */
export function rounded(x: number, bits: number): number {
  const far = (power(2, 53 - bits) + 1) * x;
  return far - (far - x);
}
