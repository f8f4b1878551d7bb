import type { Action, Env } from "../../env/env";
import type { Policy } from "../../policy/policy";
import { silenced } from "../../policy/silenced";
import { enumerateReturn, valueOfPolicy } from "../enumerateReturn";
import { coalitionWeight, shapley, type Shapley } from "./shapley";

/** Contribution of each agent of a team, and the gradient that this contribution gives. */
export interface TeamShapley extends Shapley {
  /** The exact return of the whole team. */
  readonly J: number;
  /** d J / d parameters. */
  readonly gradient: Float64Array;
  /**
   * The direction in which every agent raises its own Shapley value: sum over agents i of d phi_i / d (parameters of i). Only where
   * gradients are asked for.
   */
  readonly shapleyGradient: Float64Array;
}

/**
 * Shapley values of the agents of a world under a policy, exactly: for every coalition, the others are silent, and the return is
 * enumerated.
 *
 * ```
 * v(S) = J(pi, where agents outside of S write `silence` whenever they have the turn)
 * ```
 * Two to the number of agents enumerations. SHARP [S] masks one agent at a time, which is `oneSided` and needs one for each agent.
 *
 * @param silence what a silent agent writes; the team's world must take it as a turn
 * @throws {RangeError} if the world has one agent only, or is too large to enumerate
 * @throws {TypeError} if the environment cannot be enumerated
 * @see SHARP, arXiv 2602.08335 [P]
 * @example
 * import { createPolicy, make } from "turnwise";
 * import { teamShapley } from "turnwise/search";
 * const env = make("HandOver-v0");
 * const team = teamShapley(env, createPolicy(env.spec, { memory: "turnObservation" }), { silence: [3] });
 * Object.keys(team.value); // => ["scout", "opener"]
 */
export function teamShapley(
  env: Env,
  policy: Policy,
  { silence, gradients = false }: { readonly silence: Action; readonly gradients?: boolean },
): TeamShapley {
  const { agents = [] } = env.spec;
  if (agents.length < 2) {
    throw new RangeError(
      `Cannot divide the return of ${env.spec.id}: it must have two agents or more, got ${agents.length}.`,
    );
  }
  const others = (coalition: readonly string[]): string[] => agents.filter((one) => !coalition.includes(one));
  const without = (coalition: readonly string[], learns?: string): Policy =>
    silenced(policy, { agents: others(coalition), action: silence, ...(learns !== undefined && { learns }) });
  const divided = shapley(agents, (coalition) => {
    return valueOfPolicy(env, without(coalition));
  });
  const whole = enumerateReturn(env, without(agents), { gradient: gradients });
  const shapleyGradient = new Float64Array(whole.gradient.length);
  if (gradients) {
    for (const agent of agents) {
      for (const coalition of coalitionsOf(agents.filter((one) => one !== agent))) {
        const joined = enumerateReturn(env, without([...coalition, agent], agent));
        const weight = coalitionWeight(agents.length, coalition.length);
        joined.gradient.forEach((x, i) => (shapleyGradient[i]! += weight * x));
      }
    }
  }
  return { ...divided, J: whole.J, gradient: whole.gradient, shapleyGradient };
}

function coalitionsOf(players: readonly string[]): string[][] {
  return Array.from({ length: 1 << players.length }, (_, set) => players.filter((__, i) => set & (1 << i)));
}
