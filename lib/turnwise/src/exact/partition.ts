import { exp } from "../base/elementary/exp";
import { expm1 } from "../base/elementary/expm1";
import { log } from "../base/elementary/log";
import type { Env, Outcome } from "../env/env";
import type { Policy } from "../policy/policy";
import { expectEnumerable } from "./enumerateReturn";
import { enumerateTurns } from "./turns";

/** Facts about a task that a GFlowNet would have to know, enumerated. */
export interface Partition {
  readonly task: string;
  /** P(task). */
  readonly probability: number;
  /** Mean return of the policy; its accuracy, where the return is 0 or 1. */
  readonly accuracy: number;
  /** log Z = log E_ref[exp(R / beta)]: the normalizer of the target ref exp(R / beta) / Z. */
  readonly logZ: number;
  /** KL(policy || target), nats: 0 at the optimum of the trajectory balance. */
  readonly divergence: number;
  /** KL(policy || ref), nats. */
  readonly drift: number;
  /**
   * The log Z that minimizes the squared residual of the trajectory balance on trajectories of the policy: what a learned one
   * becomes on policy.
   */
  readonly fitted: number;
}

/**
 * The partition function of each task under a reference, and what it says of a policy's accuracy.
 *
 * ```
 * Z        = E_ref[exp(R / beta)]
 * accuracy = beta log Z - beta KL(pi || target) + beta KL(pi || ref)
 * fitted   = accuracy / beta - KL(pi || ref)
 * ```
 * So beta log Z is the accuracy of the policy that sampled only where the two divergences cancel, and a fitted log Z is off by
 * the drift alone: it is the accuracy itself while the reference is the policy that samples.
 *
 * @throws {RangeError} if beta is not above 0, or there are more than `maxTrajectories`
 * @throws {TypeError} if the environment cannot be enumerated
 * @example
 * import { createPolicy, make } from "turnwise";
 * import { partitions } from "turnwise/search";
 * const env = make("LookUp-v0");
 * const policy = createPolicy(env.spec);
 * const [task] = partitions(env, policy, policy, { beta: 0.5 });
 * task!.drift; // => 0
 * @see PACED-RL, arXiv 2602.12642: p_old = beta log Z - beta KL(pi_old || pi_theta), with pi_old for the reference and pi_theta at
 *   its optimum
 */
export function partitions(
  env: Env,
  policy: Policy,
  reference: Policy,
  { beta, maxTrajectories = 200_000 }: { readonly beta: number; readonly maxTrajectories?: number },
): Partition[] {
  expectBeta(beta);
  const world = expectEnumerable(env);
  const sums = new Map<string, { mass: number; R: number; Z: number; drift: number }>();
  let count = 0;
  const contextOf = (who: Policy, path: Path): unknown =>
    who.contextOf({ observations: path.observations, actions: path.actions });
  const logOf = (who: Policy, context: unknown, tokens: readonly number[]): number =>
    tokens.reduce((sum, token, l) => sum + who.nextTokenLogProb(context, tokens.slice(0, l))[token]!, 0);
  const walk = (task: string, state: unknown, path: Path): void => {
    const context = contextOf(policy, path);
    for (const { tokens } of enumerateTurns(world.spec, policy, context)) {
      const own = path.own + logOf(policy, context, tokens);
      const other = path.other + logOf(reference, contextOf(reference, path), tokens);
      for (const outcome of world.transition(state, tokens)) {
        const chance = path.chance * outcome.probability;
        const R = path.R + outcome.reward;
        if (!outcome.terminated && path.actions.length + 1 < world.spec.maxTurns) {
          walk(task, outcome.state, {
            chance,
            R,
            own,
            other,
            observations: [...path.observations, outcome.observation],
            actions: [...path.actions, tokens],
          });
          continue;
        }
        if (++count > maxTrajectories) {
          throw new RangeError(
            `Cannot enumerate the partition function of ${env.spec.id}: its trajectories must be at most ${maxTrajectories}.`,
          );
        }
        const sum = sums.get(task) ?? { mass: 0, R: 0, Z: 0, drift: 0 };
        const p = chance * exp(own);
        sum.mass += p;
        sum.R += p * R;
        sum.Z += chance * exp(other + R / beta);
        sum.drift += p * (own - other);
        sums.set(task, sum);
      }
    }
  };
  world.start().forEach((start: Outcome<unknown>, i) => {
    walk(start.taskId ?? String(i), start.state, {
      chance: start.probability,
      R: 0,
      own: 0,
      other: 0,
      observations: [start.observation],
      actions: [],
    });
  });
  return [...sums].map(([task, { mass, R, Z, drift: total }]) => {
    const accuracy = R / mass;
    const drift = total / mass;
    const logZ = log(Z / mass);
    const fitted = accuracy / beta - drift;
    return { task, probability: mass, accuracy, logZ, divergence: logZ - fitted, drift, fitted };
  });
}

interface Path {
  readonly chance: number;
  readonly R: number;
  /** Log-probs of the turns so far, under the policy and the reference. */
  readonly own: number;
  readonly other: number;
  readonly observations: readonly Outcome<unknown>["observation"][];
  readonly actions: readonly (readonly number[])[];
}

/**
 * The reference's accuracy of which log Z is the partition function, for a return of 0 or 1.
 *
 *   Z = 1 - p + p e^{1 / beta},   p = (Z - 1) / (e^{1 / beta} - 1)
 */
export function accuracyOfPartition(logZ: number, beta: number): number {
  expectBeta(beta);
  return expm1(logZ) / expm1(1 / beta);
}

function expectBeta(beta: number): void {
  if (beta > 0) return;
  throw new RangeError(`Cannot compute a partition function: beta must be above 0, got ${beta}.`);
}
