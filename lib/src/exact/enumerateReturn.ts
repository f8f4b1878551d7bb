import { turnBatch } from "../batch/turnBatch";
import { isEnumerable, type Action, type Env, type EnumerableEnv, type Observation } from "../env/env";
import { contextKey, type History, type Policy } from "../policy/policy";
import { enumerateTurns, type Turn } from "./turns";

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

/** What enumeration gives: the value of a policy, its gradient, and the value of each history. */
export interface ExactReturn {
  /** Expected undiscounted return. */
  readonly J: number;
  /** Expected number of turns. */
  readonly turns: number;
  /** d J / d parameters. */
  readonly gradient: Float64Array;
  readonly histories: readonly HistoryValue[];
}

interface Node {
  readonly state: unknown;
  readonly history: History;
  readonly context: Context;
  probability: number;
  value: number;
}

interface Context {
  readonly key: string;
  readonly turn: number;
  readonly context: unknown;
  readonly observation: Observation;
  readonly turns: readonly Turn[];
  /** Sum over hidden states of probability x Q(state, turn). */
  readonly weightedValue: Float64Array;
  /** By state; the layer's nodes of this context. */
  readonly nodes: Map<string, Node>;
  /** The contexts that follow, by observation and index of the turn. */
  readonly after: Map<Observation, (Context | undefined)[]>;
  probability: number;
}

/** What is reached at one turn, in the order of discovery. */
interface Layer {
  readonly contexts: Map<string, Context>;
  readonly nodes: Node[];
}

const ROWS_AT_ONCE = 4096;

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
  const enumerable = expectEnumerable(env);
  const keyOf = stateKeys();
  const layers = reach(enumerable, policy, o.maxNodes ?? 200_000, keyOf);
  let J = 0;
  let turns = 0;
  for (let t = layers.length - 1; t >= 0; t--) {
    for (const node of layers[t]!.nodes) evaluate(enumerable, policy, node, layers[t + 1], keyOf);
  }
  for (const node of layers[0]!.nodes) J += node.probability * node.value;
  for (const layer of layers) for (const node of layer.nodes) turns += node.probability;
  const contexts = layers.flatMap((layer) => [...layer.contexts.values()]);
  const gradient = o.gradient === false ? new Float64Array(0) : gradientOf(env, policy, contexts);
  return { J, turns, gradient, histories: contexts.map(toHistoryValue) };
}

export function expectEnumerable(env: Env): EnumerableEnv {
  if (isEnumerable(env)) return env;
  throw new TypeError(
    `Cannot enumerate ${env.spec.id} as the environment must list its outcomes: start and transition are missing`,
  );
}

type StateKey = (state: unknown) => string;

/** States as text. Each object is serialised once, as environments tend to hand out the same one again. */
function stateKeys(): StateKey {
  const known = new WeakMap<object, string>();
  return (state) => {
    if (typeof state !== "object" || state === null) return JSON.stringify(state);
    let key = known.get(state);
    if (key === undefined) known.set(state, (key = JSON.stringify(state)));
    return key;
  };
}

/** Forward pass: the pairs of state and context that are reached at each turn, with their probabilities. */
function reach(env: EnumerableEnv, policy: Policy, maxNodes: number, keyOf: StateKey): Layer[] {
  const layers: Layer[] = [];
  let layer: Layer = { contexts: new Map(), nodes: [] };
  const add = (
    into: Layer,
    context: Context,
    state: unknown,
    history: () => History,
    probability: number,
  ): void => {
    context.probability += probability;
    const key = keyOf(state);
    const node = context.nodes.get(key);
    if (node) {
      node.probability += probability;
      return;
    }
    const made: Node = { state, history: history(), context, probability, value: 0 };
    context.nodes.set(key, made);
    into.nodes.push(made);
  };
  for (const outcome of env.start()) {
    const history: History = { observations: [outcome.observation], actions: [] };
    const context = contextIn(layer, env, policy, history);
    add(layer, context, outcome.state, () => history, outcome.probability);
  }
  while (layer.nodes.length > 0) {
    if (layer.nodes.length > maxNodes) {
      throw new RangeError(
        `Cannot enumerate ${env.spec.id} as a turn must have at most ${maxNodes} pairs of state and context: ` +
          `turn ${layers.length} has ${layer.nodes.length}`,
      );
    }
    layers.push(layer);
    if (layers.length >= env.spec.maxTurns) break;
    const next: Layer = { contexts: new Map(), nodes: [] };
    for (const node of layer.nodes) {
      const { turns } = node.context;
      for (let i = 0; i < turns.length; i++) {
        const turn = turns[i]!;
        for (const outcome of env.transition(node.state, turn.tokens)) {
          if (outcome.terminated) continue;
          const context = contextAfter(node, i, outcome.observation, next, env, policy);
          const probability = node.probability * turn.probability * outcome.probability;
          const history = (): History => extend(node.history, turn.tokens, outcome.observation);
          add(next, context, outcome.state, history, probability);
        }
      }
    }
    layer = next;
  }
  return layers;
}

function extend(history: History, action: Action, observation: Observation): History {
  return {
    observations: [...history.observations, observation],
    actions: [...history.actions, action],
  };
}

/** What the policy makes of a node's context, turn `i` of it, and the observation that follows. */
function contextAfter(
  node: Node,
  i: number,
  observation: Observation,
  next: Layer,
  env: EnumerableEnv,
  policy: Policy,
): Context {
  const { after, turns } = node.context;
  let row = after.get(observation);
  if (!row) after.set(observation, (row = new Array<Context | undefined>(turns.length)));
  return (row[i] ??= contextIn(next, env, policy, extend(node.history, turns[i]!.tokens, observation)));
}

function contextIn(layer: Layer, env: EnumerableEnv, policy: Policy, history: History): Context {
  const context = policy.contextOf(history);
  const key = contextKey(context);
  const known = layer.contexts.get(key);
  if (known) return known;
  const turns = enumerateTurns(env.spec, policy, context);
  const made: Context = {
    key,
    turn: history.actions.length,
    context,
    observation: history.observations.at(-1)!,
    turns,
    weightedValue: new Float64Array(turns.length),
    nodes: new Map(),
    after: new Map(),
    probability: 0,
  };
  layer.contexts.set(key, made);
  return made;
}

/** Backward pass: Q(state, context, turn) and V(state, context). */
function evaluate(
  env: EnumerableEnv,
  policy: Policy,
  node: Node,
  next: Layer | undefined,
  keyOf: StateKey,
): void {
  const { turns, weightedValue } = node.context;
  for (let i = 0; i < turns.length; i++) {
    const turn = turns[i]!;
    let q = 0;
    for (const outcome of env.transition(node.state, turn.tokens)) {
      q += outcome.probability * outcome.reward;
      if (outcome.terminated || !next) continue;
      const context = contextAfter(node, i, outcome.observation, next, env, policy);
      q += outcome.probability * context.nodes.get(keyOf(outcome.state))!.value;
    }
    node.value += turn.probability * q;
    weightedValue[i]! += node.probability * q;
  }
}

function toHistoryValue(context: Context): HistoryValue {
  const turnValue = context.weightedValue.map((value) => value / context.probability);
  const value = context.turns.reduce((sum, turn, i) => sum + turn.probability * turnValue[i]!, 0);
  return {
    turn: context.turn,
    key: context.key,
    observation: context.observation.text,
    probability: context.probability,
    value,
    turns: context.turns,
    turnValue,
  };
}

/** A row per (context, turn), whose tokens carry P(h) pi(a | h) (Q(h, a) - V(h)); subtracting V only affects round-off. */
function gradientOf(env: Env, policy: Policy, contexts: readonly Context[]): Float64Array {
  const rows = contexts.flatMap((context) => {
    const value = context.turns.reduce(
      (sum, turn, i) => sum + turn.probability * context.weightedValue[i]!,
      0,
    );
    return context.turns.map((turn, i) => ({
      context,
      tokens: turn.tokens,
      weight: turn.probability * (context.weightedValue[i]! - value),
    }));
  });
  let gradient = new Float64Array(policy.parameters.length);
  const L = env.spec.maxTokens;
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    const chunk = rows.slice(from, from + ROWS_AT_ONCE);
    const batch = turnBatch(
      chunk.map((row) => row.tokens),
      chunk.map((row) => row.context.context),
      chunk.map((row) => row.context.observation.text),
      L,
    );
    const dLogProb_ntl = new Float64Array(chunk.length * L);
    chunk.forEach((row, n) => dLogProb_ntl.fill(row.weight, n * L, n * L + row.tokens.length));
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
