import { isEnumerable, type Env, type EnumerableEnv } from "../env/env";
import type { Policy } from "../policy/policy";
import { reachOf, turnBatches, type Reach, type ReachedContext } from "./reach";
import type { Turn } from "./turns";

/** A context of the policy, with its place in the exact distribution over trajectories. */
export interface HistoryValue {
  readonly turn: number;
  /** The context as a key, which spells the history out if the policy remembers all of it. */
  readonly key: string;
  /** The latest observation. */
  readonly observation: string;
  /** Probability of reaching this context at this turn. */
  readonly probability: number;
  /** Expected sum of the rewards from here on, given the context. */
  readonly value: number;
  /** pi(turn | context) of every turn. */
  readonly turns: readonly Turn[];
  /** Q(context, turn), in the order of `turns`. */
  readonly turnValue: Float64Array;
}

/** Results of an enumeration: the value of a policy, its gradient, and the value of each history. */
export interface ExactReturn {
  /** Expected undiscounted return. */
  readonly J: number;
  /** Expected number of turns. */
  readonly turns: number;
  /** d J / d parameters. */
  readonly gradient: Float64Array;
  readonly histories: readonly HistoryValue[];
}

/**
 * The exact expected return of a policy and its gradient, by summing over every trajectory.
 *
 *   J = sum_tau P(tau) R(tau),   grad J = sum_t sum_h P(h_t = h) sum_a grad pi(a | h) Q(h, a)
 *
 * Trajectories that meet in the same hidden state with the same policy context are merged, so the work grows with the pairs
 * (state, context), not with the trajectories. Rewards are undiscounted. An episode that is still running after
 * `spec.maxTurns` turns counts with what it has earned so far.
 *
 * @throws {TypeError} if the environment cannot be enumerated
 * @throws {RangeError} if a turn has more than `maxNodes` pairs of state and context
 * @example
 * import { createPolicy, enumerateReturn, make } from "turnwise";
 * const env = make("LookUp-v0");
 * enumerateReturn(env, createPolicy(env.spec)).J; // => 0.0
 * @see Sutton et al., "Policy Gradient Methods for RL with Function Approximation" (1999), theorem 1
 */
export function enumerateReturn(
  env: Env,
  policy: Policy,
  o: { maxNodes?: number; gradient?: boolean } = {},
): ExactReturn {
  const { reach, turnProbability, nodeProbability, contextProbability, weightedValue, J } = valued(
    env,
    policy,
    o.maxNodes,
  );
  let turns = 0;
  for (const probability of nodeProbability) turns += probability;
  const histories = reach.contexts.map((context, c) =>
    toHistoryValue(context, contextProbability[c]!, turnProbability, weightedValue),
  );
  const gradient =
    o.gradient === false
      ? new Float64Array(0)
      : gradientOf(env, policy, reach, { turnProbability, weightedValue });
  return { J, turns, gradient, histories };
}

/**
 * The J of `enumerateReturn` alone, for curves that have one after every update.
 *
 * @throws {TypeError} if the environment cannot be enumerated
 * @throws {RangeError} if it is too large
 */
export function valueOfPolicy(env: Env, policy: Policy): number {
  return valued(env, policy).J;
}

interface Valued {
  readonly reach: Reach;
  readonly turnProbability: Float64Array;
  readonly nodeProbability: Float64Array;
  readonly contextProbability: Float64Array;
  readonly weightedValue: Float64Array;
  readonly J: number;
}

function valued(env: Env, policy: Policy, maxNodes = 200_000): Valued {
  const { reach, turnProbability } = reachOf(expectEnumerable(env), policy, maxNodes);
  const { nodeProbability, contextProbability } = forward(reach, turnProbability);
  const { nodeValue, weightedValue } = backward(reach, turnProbability, nodeProbability);
  const atStart = reach.layers[1] ?? 0;
  let J = 0;
  for (let node = 0; node < atStart; node++) J += nodeProbability[node]! * nodeValue[node]!;
  return { reach, turnProbability, nodeProbability, contextProbability, weightedValue, J };
}

export function expectEnumerable(env: Env): EnumerableEnv {
  if (isEnumerable(env)) return env;
  throw new TypeError(
    `Cannot enumerate ${env.spec.id}: the environment must list its outcomes, but start and transition are missing.`,
  );
}

/** Probabilities of the pairs of state and context, and of the contexts alone. */
function forward(
  { contexts, contextOf, turns, outcomes, probability, next, starts }: Reach,
  turnProbability: Float64Array,
): { nodeProbability: Float64Array; contextProbability: Float64Array } {
  const nodeProbability = new Float64Array(contextOf.length);
  const contextProbability = new Float64Array(contexts.length);
  const arrive = (node: number, p: number): void => {
    contextProbability[contextOf[node]!]! += p;
    nodeProbability[node]! += p;
  };
  starts.node.forEach((node, i) => arrive(node, starts.probability[i]!));
  for (let node = 0; node < contextOf.length; node++) {
    const { first, tree } = contexts[contextOf[node]!]!;
    for (let i = 0; i < tree.turns.length; i++) {
      const taken = nodeProbability[node]! * turnProbability[first + i]!;
      const slot = turns[node]! + i;
      for (let k = outcomes[slot]!; k < outcomes[slot + 1]!; k++) {
        if (next[k]! >= 0) arrive(next[k]!, taken * probability[k]!);
      }
    }
  }
  return { nodeProbability, contextProbability };
}

/** V(state, context), and by context and turn the sum over hidden states of probability x Q(state, turn). */
function backward(
  { contexts, turnCount, layers, contextOf, turns, outcomes, probability, reward, next }: Reach,
  turnProbability: Float64Array,
  nodeProbability: Float64Array,
): { nodeValue: Float64Array; weightedValue: Float64Array } {
  const nodeValue = new Float64Array(contextOf.length);
  const weightedValue = new Float64Array(turnCount);
  for (let t = layers.length - 2; t >= 0; t--) {
    for (let node = layers[t]!; node < layers[t + 1]!; node++) {
      const { first, tree } = contexts[contextOf[node]!]!;
      for (let i = 0; i < tree.turns.length; i++) {
        const slot = turns[node]! + i;
        let q = 0;
        for (let k = outcomes[slot]!; k < outcomes[slot + 1]!; k++) {
          q += probability[k]! * reward[k]!;
          if (next[k]! >= 0) q += probability[k]! * nodeValue[next[k]!]!;
        }
        nodeValue[node]! += turnProbability[first + i]! * q;
        weightedValue[first + i]! += nodeProbability[node]! * q;
      }
    }
  }
  return { nodeValue, weightedValue };
}

function toHistoryValue(
  { key, turn, observation, tree, first }: ReachedContext,
  probability: number,
  turnProbability: Float64Array,
  weightedValue: Float64Array,
): HistoryValue {
  const turnValue = new Float64Array(tree.turns.length);
  let value = 0;
  const turns = tree.turns.map((tokens, i) => {
    turnValue[i] = weightedValue[first + i]! / probability;
    value += turnProbability[first + i]! * turnValue[i]!;
    return { tokens, probability: turnProbability[first + i]! };
  });
  return { turn, key, observation: observation.text, probability, value, turns, turnValue };
}

/** A row per (context, turn), whose tokens carry P(h) pi(a | h) (Q(h, a) - V(h)); subtracting V only affects round-off. */
function gradientOf(
  env: Env,
  policy: Policy,
  reach: Reach,
  {
    turnProbability,
    weightedValue,
  }: { readonly turnProbability: Float64Array; readonly weightedValue: Float64Array },
): Float64Array {
  const weights = new Float64Array(reach.turnCount);
  for (const { first, tree } of reach.contexts) {
    const end = first + tree.turns.length;
    let value = 0;
    for (let i = first; i < end; i++) value += turnProbability[i]! * weightedValue[i]!;
    for (let i = first; i < end; i++) weights[i] = turnProbability[i]! * (weightedValue[i]! - value);
  }
  let gradient = new Float64Array(policy.parameters.length);
  let row = 0;
  for (const batch of turnBatches(reach, env.spec.maxTokens)) {
    const [N, , L] = batch.shape;
    const dLogProb_ntl = new Float64Array(N * L);
    for (let n = 0; n < N; n++, row++) {
      for (let cell = n * L; cell < (n + 1) * L && batch.mask_ntl[cell]; cell++) {
        dLogProb_ntl[cell] = weights[row]!;
      }
    }
    const part = policy.backward(batch, { dLogProb_ntl });
    if (part.length > gradient.length) {
      const grown = new Float64Array(part.length);
      grown.set(gradient);
      gradient = grown;
    }
    for (let i = 0; i < part.length; i++) gradient[i]! += part[i]!;
  }
  return gradient;
}
