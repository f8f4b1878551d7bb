import { turnBatch } from "../batch/turnBatch";
import type { Batch } from "../batch/batch";
import type { EnumerableEnv, Observation } from "../env/env";
import { isSteady } from "../env/wrapper";
import { contextKey, type History, type Policy } from "../policy/policy";
import { Growing } from "./growing";
import { TurnTree } from "./turnTree";

/** A context of the policy at one turn. */
export interface ReachedContext {
  readonly key: string;
  readonly turn: number;
  readonly context: unknown;
  readonly observation: Observation;
  readonly tree: TurnTree;
  /** The place of its first turn among the turns of all contexts. */
  readonly first: number;
}

/**
 * The pairs of hidden state and context that a policy can reach, and what follows from each of its turns: all of an
 * enumeration that no probability of the policy changes. Nodes, contexts and outcomes are numbered in the order of discovery.
 */
export interface Reach {
  readonly contexts: readonly ReachedContext[];
  /** Number of turns of all contexts. */
  readonly turnCount: number;
  /** Index of the first node of each turn, and the end of the last one. */
  readonly layers: readonly number[];
  /** The context of each node. */
  readonly contextOf: Int32Array;
  /** The outcomes of a node's turn i are `outcomes[turns[node] + i]` up to the next one. */
  readonly turns: Int32Array;
  readonly outcomes: Int32Array;
  readonly probability: Float64Array;
  readonly reward: Float64Array;
  /** The node that follows, -1 where the episode ends. */
  readonly next: Int32Array;
  readonly starts: { readonly node: Int32Array; readonly probability: Float64Array };
  /** The turns of all contexts as batches, for the gradient; made on demand. */
  readonly batches: Batch[];
}

/** Larger ones are recomputed, so that a world in memory does not hold on to more than 40 MB. */
const KEPT_OUTCOMES = 2_000_000;

/** Results for a world, by the way its policies summarize histories. */
interface Kept {
  /** The world's functions: whoever puts others in their place has another world. */
  readonly start: EnumerableEnv["start"];
  readonly transition: EnumerableEnv["transition"];
  readonly byKind: Map<string, Reach>;
}

const known = new WeakMap<EnumerableEnv, Kept>();

function keptOf(env: EnumerableEnv): Kept {
  const { start, transition } = env;
  const before = known.get(env);
  if (before?.start === start && before.transition === transition) return before;
  const fresh = { start, transition, byKind: new Map<string, Reach>() };
  known.set(env, fresh);
  return fresh;
}

/**
 * Enumerates the contexts that a policy can reach, with the probability of every turn of each.
 *
 * Kept for worlds that never change and policies that tell how they make contexts: after an update, only the probabilities of
 * turns are asked for again.
 *
 * @throws {RangeError} if a turn has more than `maxNodes` pairs of state and context
 */
export function reachOf(
  env: EnumerableEnv,
  policy: Policy,
  maxNodes: number,
): { readonly reach: Reach; readonly turnProbability: Float64Array } {
  const kind = isSteady(env) ? policy.contextKind : undefined;
  const before = kind === undefined ? undefined : keptOf(env).byKind.get(kind);
  if (before) {
    const turnProbability = new Float64Array(before.turnCount);
    const same = before.contexts.every(({ tree, context, first }) =>
      tree.weigh(policy, context, turnProbability, first),
    );
    if (same) {
      for (let t = 0; t + 1 < before.layers.length; t++)
        expectFewer(env, maxNodes, t, before.layers[t + 1]! - before.layers[t]!);
      return { reach: before, turnProbability };
    }
  }
  const fresh = new Discovery(env, policy, maxNodes).result();
  if (kind !== undefined && fresh.reach.next.length <= KEPT_OUTCOMES) {
    keptOf(env).byKind.set(kind, fresh.reach);
  }
  return fresh;
}

const ROWS_AT_ONCE = 4096;

/** The turns of all contexts, one to a row, in as many batches as they fill. */
export function turnBatches({ contexts, batches }: Reach, maxTokens: number): readonly Batch[] {
  if (batches.length > 0) return batches;
  const rows = contexts.flatMap((context) => context.tree.turns.map((tokens) => ({ context, tokens })));
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    const chunk = rows.slice(from, from + ROWS_AT_ONCE);
    batches.push(
      turnBatch(
        chunk.map((row) => row.tokens),
        chunk.map((row) => row.context.context),
        chunk.map((row) => row.context.observation.text),
        maxTokens,
      ),
    );
  }
  return batches;
}

function expectFewer(env: EnumerableEnv, maxNodes: number, turn: number, count: number): void {
  if (count <= maxNodes) return;
  throw new RangeError(
    `Cannot enumerate ${env.spec.id}: a turn must have at most ${maxNodes} pairs of state and context, ` +
      `but turn ${turn} has ${count}.`,
  );
}

/** A node while it is discovered, with the way that led to it first. */
interface Found {
  readonly state: unknown;
  readonly context: FoundContext;
  readonly parent: Found | undefined;
  /** Action of the parent. */
  readonly action: readonly number[];
  readonly observation: Observation;
}

interface FoundContext extends ReachedContext {
  readonly index: number;
  /** Its nodes, by state. */
  readonly nodes: Map<string, number>;
  /** The contexts that follow, by observation and index of the turn. */
  readonly after: Map<Observation, (FoundContext | undefined)[]>;
}

/** Goes through a world turn after turn and writes down what it finds. */
class Discovery {
  readonly #env: EnumerableEnv;
  readonly #policy: Policy;
  readonly #contexts: FoundContext[] = [];
  readonly #nodes: Found[] = [];
  readonly #layers: number[] = [0];
  readonly #turns = new Growing((length) => new Int32Array(length));
  readonly #outcomes = new Growing((length) => new Int32Array(length));
  readonly #probability = new Growing((length) => new Float64Array(length));
  readonly #reward = new Growing((length) => new Float64Array(length));
  readonly #next = new Growing((length) => new Int32Array(length));
  readonly #starts = new Growing((length) => new Int32Array(length));
  readonly #startProbability = new Growing((length) => new Float64Array(length));
  readonly #turnProbability = new Growing((length) => new Float64Array(length));
  /** The contexts of the turn that is being discovered, by key. */
  #byKey = new Map<string, FoundContext>();
  /** Each object is serialized once, as environments tend to hand out the same one again. */
  readonly #keys = new WeakMap<object, string>();

  constructor(env: EnumerableEnv, policy: Policy, maxNodes: number) {
    this.#env = env;
    this.#policy = policy;
    for (const { observation, state, probability } of env.start()) {
      const context = this.#contextIn({ observations: [observation], actions: [] });
      const node = this.#nodeOf({ state, context, parent: undefined, action: [], observation });
      this.#starts.push(node);
      this.#startProbability.push(probability);
    }
    for (let turn = 0; this.#nodes.length > this.#layers.at(-1)!; turn++) {
      const [from, to] = [this.#layers.at(-1)!, this.#nodes.length];
      expectFewer(env, maxNodes, turn, to - from);
      this.#layers.push(to);
      this.#byKey = new Map();
      const last = turn + 1 >= env.spec.maxTurns;
      for (let node = from; node < to; node++) this.#goOn(node, last);
    }
    this.#outcomes.push(this.#next.length);
  }

  result(): { readonly reach: Reach; readonly turnProbability: Float64Array } {
    const reach = {
      contexts: this.#contexts.map(({ key, turn, context, observation, tree, first }) => ({
        ...{ key, turn, context, observation, tree, first },
      })),
      turnCount: this.#turnProbability.length,
      layers: this.#layers,
      contextOf: Int32Array.from(this.#nodes, ({ context }) => context.index),
      turns: this.#turns.values(),
      outcomes: this.#outcomes.values(),
      probability: this.#probability.values(),
      reward: this.#reward.values(),
      next: this.#next.values(),
      starts: { node: this.#starts.values(), probability: this.#startProbability.values() },
      batches: [],
    };
    return { reach, turnProbability: this.#turnProbability.values() };
  }

  /** Adds the successors of each turn of a node. */
  #goOn(index: number, last: boolean): void {
    const node = this.#nodes[index]!;
    const { turns } = node.context.tree;
    this.#turns.push(this.#outcomes.length);
    for (let i = 0; i < turns.length; i++) {
      this.#outcomes.push(this.#next.length);
      const action = turns[i]!;
      for (const outcome of this.#env.transition(node.state, action)) {
        const { observation, state } = outcome;
        this.#probability.push(outcome.probability);
        this.#reward.push(outcome.reward);
        if (outcome.terminated || last) {
          this.#next.push(-1);
          continue;
        }
        const context = this.#contextAfter(node, i, observation);
        this.#next.push(this.#nodeOf({ state, context, parent: node, action, observation }));
      }
    }
  }

  #nodeOf(found: Found): number {
    const key = this.#keyOf(found.state);
    const before = found.context.nodes.get(key);
    if (before !== undefined) return before;
    const node = this.#nodes.push(found) - 1;
    found.context.nodes.set(key, node);
    return node;
  }

  /** States as text. */
  #keyOf(state: unknown): string {
    if (typeof state !== "object" || state === null) return JSON.stringify(state);
    let key = this.#keys.get(state);
    if (key === undefined) this.#keys.set(state, (key = JSON.stringify(state)));
    return key;
  }

  /** Context of the policy after turn `i` of a node and the observation that follows. */
  #contextAfter(node: Found, i: number, observation: Observation): FoundContext {
    const { after, tree } = node.context;
    let row = after.get(observation);
    if (!row) after.set(observation, (row = new Array<FoundContext | undefined>(tree.turns.length)));
    return (row[i] ??= this.#contextIn(historyOf(node, tree.turns[i]!, observation)));
  }

  #contextIn(history: History): FoundContext {
    const policy = this.#policy;
    const context = policy.contextOf(history);
    const key = contextKey(context);
    const before = this.#byKey.get(key);
    if (before) return before;
    const first = this.#turnProbability.length;
    const made: FoundContext = {
      ...{ key, context, first, index: this.#contexts.length },
      turn: history.actions.length,
      observation: history.observations.at(-1)!,
      tree: this.#treeOf(context),
      nodes: new Map(),
      after: new Map(),
    };
    this.#byKey.set(key, made);
    this.#contexts.push(made);
    return made;
  }

  /** The turns of a context, as a rule those of the one before. */
  #treeOf(context: unknown): TurnTree {
    const before = this.#contexts.at(-1)?.tree;
    const probabilities: number[] = [];
    const same = before?.weigh(this.#policy, context, probabilities, 0);
    const tree = same ? before! : TurnTree.of(this.#env.spec, this.#policy, context, probabilities);
    for (let i = 0; i < tree.turns.length; i++) this.#turnProbability.push(probabilities[i]!);
    return tree;
  }
}

/** The way to a node, one turn more, and what was seen then. */
function historyOf(node: Found, action: readonly number[], observation: Observation): History {
  const observations = [observation, node.observation];
  const actions = [action];
  for (let one = node; one.parent; one = one.parent) {
    actions.push(one.action);
    observations.push(one.parent.observation);
  }
  return { observations: observations.reverse(), actions: actions.reverse() };
}
