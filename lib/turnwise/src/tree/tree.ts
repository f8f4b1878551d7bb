import type { NodeSpec, OutcomeSpec, TreeSpec } from "./treeSpec";

export interface TreeOutcome {
  readonly probability: number;
  readonly reward: number;
  /** Index of the node that follows; -1 ends the episode. */
  readonly next: number;
}

export interface TreeNode {
  readonly name: string;
  /** The turn at which it is played, from 0. */
  readonly turn: number;
  /** Index of its information state. */
  readonly infoState: number;
  /** Outcomes of each action, in the order of the information state's actions. */
  readonly outcomes: readonly (readonly TreeOutcome[])[];
}

export interface InfoState {
  readonly name: string;
  readonly actions: readonly string[];
  /** Indices of the nodes that look like this to the policy. */
  readonly nodes: readonly number[];
  /** The turns at which these nodes are played; if there are several, they share parameters. */
  readonly turns: readonly number[];
}

export interface TreeStart {
  readonly node: number;
  readonly probability: number;
  /** Index of the task; the trajectories of a group share it. */
  readonly task: number;
}

/** A checked tree whose names are resolved to indices; in `nodes`, children come after their parents. */
export interface Tree {
  readonly name: string;
  readonly spec: TreeSpec;
  readonly turns: number;
  readonly tasks: readonly string[];
  readonly start: readonly TreeStart[];
  readonly nodes: readonly TreeNode[];
  readonly infoStates: readonly InfoState[];
}

/**
 * Checks a tree that is given as data and resolves its names.
 *
 * @throws {TypeError} if a name is unknown, an action has no outcome, or nodes that look alike offer different actions
 * @throws {RangeError} if probabilities are negative or do not sum to 1, a reward is not finite, or a node is reached at two
 *   turns, by a cycle, or not at all
 * @example
 * import { buildTree } from "turnwise/exact";
 * const tree = buildTree({
 *   name: "stop or go",
 *   start: [{ node: "root" }],
 *   nodes: {
 *     root: { actions: { stop: 0.6, go: { next: "right" } } },
 *     right: { actions: { x: 0, y: 1 } },
 *   },
 * });
 * tree.turns; // => 2
 */
export function buildTree(spec: TreeSpec): Tree {
  const what = `Cannot build tree "${spec.name}":`;
  const names = orderByTurn(spec, what);
  const index = new Map([...names.keys()].map((name, i) => [name, i]));
  const infoStates = new InfoStates(what);
  const nodes = [...names].map(([name, turn], i): TreeNode => {
    const node = spec.nodes[name]!;
    const { infoState, row } = infoStates.add(node.sees ?? name, Object.keys(node.actions));
    row.nodes.push(i);
    if (!row.turns.includes(turn)) row.turns.push(turn);
    const outcomes = row.actions.map((action) =>
      outcomesOf(node, action).map(({ probability = 1, reward = 0, next }) => ({
        probability,
        reward,
        next: next === undefined ? -1 : index.get(next)!,
      })),
    );
    outcomes.forEach((list, a) => {
      checkOutcomes(list, `node ${name}, action ${row.actions[a]!}`, what);
    });
    return { name, turn, infoState, outcomes };
  });
  const tasks = [...new Set(spec.start.map((s) => s.task ?? s.node))];
  const start = spec.start.map(({ node, probability = 1, task }) => ({
    node: index.get(node)!,
    probability,
    task: tasks.indexOf(task ?? node),
  }));
  checkProbabilities(
    start.map((s) => s.probability),
    "the starts",
    what,
  );
  const turns = 1 + nodes.at(-1)!.turn;
  return { name: spec.name, spec, turns, tasks, start, nodes, infoStates: infoStates.rows };
}

/** The same tree for a policy that sees something else: `sees(node)` names the information state of each node. */
export function withInfoStates(tree: Tree, sees: (node: TreeNode) => string): Tree {
  const nodes = Object.fromEntries(
    tree.nodes.map((node) => [node.name, { ...tree.spec.nodes[node.name]!, sees: sees(node) }]),
  );
  return buildTree({ ...tree.spec, nodes });
}

interface OpenInfoState extends InfoState {
  readonly nodes: number[];
  readonly turns: number[];
}

class InfoStates {
  readonly rows: OpenInfoState[] = [];
  readonly #index = new Map<string, number>();

  constructor(private readonly what: string) {}

  add(name: string, actions: readonly string[]): { infoState: number; row: OpenInfoState } {
    if (actions.length === 0) {
      throw new TypeError(`${this.what} ${name} must offer an action, got none.`);
    }
    const known = this.#index.get(name);
    const infoState = known ?? this.rows.push({ name, actions, nodes: [], turns: [] }) - 1;
    this.#index.set(name, infoState);
    const row = this.rows[infoState]!;
    const expected = row.actions;
    if (expected.length !== actions.length || !expected.every((action) => actions.includes(action))) {
      throw new TypeError(
        `${this.what} nodes that see ${name} must offer the same actions, got ` +
          `${expected.join(", ")} and ${actions.join(", ")}.`,
      );
    }
    return { infoState, row };
  }
}

/** The turn of each node, by name, parents first. */
function orderByTurn(spec: TreeSpec, what: string): Map<string, number> {
  if (spec.start.length === 0) throw new TypeError(`${what} it must have a start, got none.`);
  const turnOf = new Map<string, number>();
  let layer = new Set(spec.start.map((s) => known(spec, s.node, "a start", what)));
  for (let turn = 0; layer.size > 0; turn++) {
    const next = new Set<string>();
    for (const name of layer) {
      const before = turnOf.get(name);
      if (before !== undefined) {
        throw new RangeError(
          `${what} a node must be played at one turn only, but ${name} is reached at turns ${before} and ${turn}.`,
        );
      }
      turnOf.set(name, turn);
      const node = spec.nodes[name]!;
      for (const action of Object.keys(node.actions)) {
        for (const outcome of outcomesOf(node, action)) {
          if (outcome.next !== undefined) next.add(known(spec, outcome.next, `node ${name}`, what));
        }
      }
    }
    layer = next;
  }
  const lost = Object.keys(spec.nodes).filter((name) => !turnOf.has(name));
  if (lost.length > 0) {
    throw new RangeError(`${what} every node must be reachable, but ${lost.join(", ")} cannot be reached.`);
  }
  return turnOf;
}

function known(spec: TreeSpec, name: string, from: string, what: string): string {
  if (Object.hasOwn(spec.nodes, name)) return name;
  throw new TypeError(`${what} ${from} must lead to a node of the tree, got "${name}".`);
}

function outcomesOf(node: NodeSpec, action: string): readonly OutcomeSpec[] {
  const entry = node.actions[action]!;
  if (typeof entry === "number") return [{ reward: entry }];
  return Array.isArray(entry) ? (entry as readonly OutcomeSpec[]) : [entry as OutcomeSpec];
}

function checkOutcomes(outcomes: readonly TreeOutcome[], where: string, what: string): void {
  const bad = outcomes.find((outcome) => !Number.isFinite(outcome.reward));
  if (bad) throw new RangeError(`${what} rewards must be finite, but ${where} has ${bad.reward}.`);
  checkProbabilities(
    outcomes.map((outcome) => outcome.probability),
    where,
    what,
  );
}

function checkProbabilities(probabilities: readonly number[], where: string, what: string): void {
  const total = probabilities.reduce((sum, p) => sum + p, 0);
  if (probabilities.some((p) => !(p >= 0)) || Math.abs(total - 1) > 1e-9) {
    throw new RangeError(
      `${what} probabilities must be >= 0 and sum to 1, but ${where} has ${probabilities.join(", ")}`,
    );
  }
}
