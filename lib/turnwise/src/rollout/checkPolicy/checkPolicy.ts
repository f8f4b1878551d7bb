import { checkCard, type CheckCard } from "../../base/checkCard";
import { make } from "../../env";
import type { Env } from "../../env/env";
import { createPolicy, type PolicyOptions } from "../../policy/create";
import type { Policy, PolicyFactory } from "../../policy/policy";
import { masked, order, subsets } from "./cells";
import { agree, apart, contexts, frequencies, sumToOne, temperature } from "./distribution";
import { gradientOf, otherWays } from "./gradient";
import { clones, restores, sharedClone, table } from "./keeping";
import { wholeDistributions } from "./wholeDistributions";
import { begin, fail, move, type Check } from "./trial";

/** In the order in which a fault is understood best: what is sampled, what is said of it, its derivative, what is kept. */
const beforeMoving: readonly (readonly [string, Check])[] = [
  ["equal contexts, equal distributions", contexts],
  ["probabilities sum to 1", sumToOne],
  ["sample, evaluate and enumeration agree", agree],
  ["tokens are drawn as often as they should be", frequencies],
  ["temperature divides the logits", temperature],
  ["a turn depends on its own history and generator", apart],
  ["a clone is independent", clones],
];

const afterMoving: readonly (readonly [string, Check])[] = [
  ["gradient of the log-probs", gradientOf("log-prob")],
  ["gradient of the entropy", gradientOf("entropy")],
  ["gradient of the value", gradientOf("value")],
  ["all ways of backward agree", otherWays],
  ["rows and turns", subsets],
  ["the order of trajectories does not matter", order],
  ["masked cells do not matter", masked],
  ["whole distributions", wholeDistributions],
  ["gradient of whole distributions", gradientOf("distribution")],
  ["restore brings everything back", restores],
  ["table of parameters", table],
];

/**
 * Tries a policy out on a few episodes and throws at the first promise of its contract that it breaks, with the likely cause.
 *
 * It checks that probabilities sum to 1 and are what is drawn, that `evaluate` says what `sample` stored, `backward` against
 * finite differences for log-probs, entropies, values and whole distributions (which only an exact KL needs), rows and turns, masked cells, clones and checkpoints. The policy
 * stays as it is: a copy is tried. A gradient passes if it is within 1% of a central difference in up to 28 directions.
 *
 * @param env an id or an environment; a ready policy needs the one that it was made for
 * @throws {PolicyContractError} if a promise is broken
 * @throws {TypeError} if the policy is ready and `env` is left out
 * @example
 * import { autodiffPolicy, checkPolicy } from "turnwise";
 * const linear = autodiffPolicy({
 *   parameters: ({ features, vocabulary }) => ({ W: [features, vocabulary] }),
 *   logits: (tf, { W }, x) => tf.matMul(x.features, W),
 * });
 * checkPolicy(linear, "Tiger-v0").ok; // => true
 */
export function checkPolicy(policy: Policy | PolicyFactory | PolicyOptions, env?: string | Env): CheckCard {
  const ready = typeof policy === "object" && "sample" in policy;
  if (ready && env === undefined) {
    throw new TypeError(
      `Cannot check a ready policy: it must be followed by the environment that it was made for.\ncheckPolicy(policy, "LookUp-v0")`,
    );
  }
  const world = typeof env === "object" ? env : make(env ?? "LookUp-v0");
  const original = ready
    ? policy
    : typeof policy === "function"
      ? policy(world)
      : createPolicy(world.spec, policy);
  const trial = begin(ready ? apartFrom(original) : original, world);
  const run = ([name, check]: readonly [string, Check]): {
    name: string;
    ok: true | null;
    figure: string;
  } => {
    const figure = check(trial);
    return { name, ok: figure === undefined ? null : true, figure: figure ?? "does not apply" };
  };
  const rows = beforeMoving.map(run);
  move(trial.policy, "move", 0.3);
  rows.push(...afterMoving.map(run));
  const title = `Policy ${original.name}: ${rows.filter(({ ok }) => ok).length} checks passed`;
  return checkCard({ title, about: `16 episodes of ${world.spec.id}`, rows });
}

/** A copy to try things on. */
function apartFrom(policy: Policy): Policy {
  const copy = policy.clone();
  const [before] = policy.parameters;
  if (before === undefined) return copy;
  copy.parameters[0]! += 1;
  const shared = policy.parameters[0] !== before;
  copy.parameters[0] = before;
  if (shared) fail(policy, ...sharedClone);
  return copy;
}
