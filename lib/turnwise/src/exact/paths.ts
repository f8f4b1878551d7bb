import type { Tree } from "../tree/tree";

/** Every trajectory of a tree, whatever the policy; a policy adds the probabilities of the actions. */
export interface Paths {
  readonly count: number;
  /** Probability of the start and of all outcomes, without the policy. */
  readonly chance: Float64Array;
  readonly task: Int32Array;
  /** Index into `returns`. */
  readonly returnIndex: Int32Array;
  /** The distinct undiscounted returns, ascending. */
  readonly returns: Float64Array;
  /** Number of turns taken. */
  readonly length: Int32Array;
  /** Node and action of turn t of path i at i * turns + t; -1 after the end. */
  readonly node: Int32Array;
  readonly action: Int32Array;
}

/** Larger enumerations would take minutes and are refused. */
export const MAX_PATHS = 1_000_000;

const known = new WeakMap<Tree, Paths>();

/**
 * Enumerates the trajectories of a tree.
 *
 * @throws {RangeError} if there are more than a million; the message gives their number
 */
export function pathsOf(tree: Tree): Paths {
  const before = known.get(tree);
  if (before) return before;
  const count = countPaths(tree);
  if (count > MAX_PATHS) {
    throw new RangeError(
      `Cannot enumerate tree "${tree.name}": its trajectories must be at most ${MAX_PATHS}, but it has ${count}.`,
    );
  }
  const paths = enumerate(tree, count);
  known.set(tree, paths);
  return paths;
}

/** The number of trajectories, counted without walking them. */
export function countPaths(tree: Tree): number {
  const below = new Float64Array(tree.nodes.length);
  for (let n = tree.nodes.length - 1; n >= 0; n--) {
    for (const outcomes of tree.nodes[n]!.outcomes) {
      for (const { next } of outcomes) below[n]! += next < 0 ? 1 : below[next]!;
    }
  }
  return tree.start.reduce((sum, { node }) => sum + below[node]!, 0);
}

function enumerate(tree: Tree, count: number): Paths {
  const T = tree.turns;
  const chance = new Float64Array(count);
  const task = new Int32Array(count);
  const length = new Int32Array(count);
  const node = new Int32Array(count * T).fill(-1);
  const action = new Int32Array(count * T).fill(-1);
  const total = new Float64Array(count);
  const nodes: number[] = [];
  const actions: number[] = [];
  let i = 0;
  const walk = (n: number, weight: number, sum: number, k: number): void => {
    nodes.push(n);
    tree.nodes[n]!.outcomes.forEach((outcomes, a) => {
      actions.push(a);
      for (const { probability, reward, next } of outcomes) {
        if (next >= 0) {
          walk(next, weight * probability, sum + reward, k);
          continue;
        }
        chance[i] = weight * probability;
        task[i] = k;
        length[i] = nodes.length;
        node.set(nodes, i * T);
        action.set(actions, i * T);
        total[i] = sum + reward;
        i++;
      }
      actions.pop();
    });
    nodes.pop();
  };
  for (const start of tree.start) walk(start.node, start.probability, 0, start.task);
  const { returns, returnIndex } = distinct(total);
  return { count, chance, task, returnIndex, returns, length, node, action };
}

/** Merges sums of the same rewards in another order into one return: whether a group has spread depends on it. */
function distinct(total: Float64Array): { returns: Float64Array; returnIndex: Int32Array } {
  const sorted = total.slice().sort();
  const returns: number[] = [];
  for (const r of sorted) if (returns.length === 0 || r - returns.at(-1)! > 1e-12) returns.push(r);
  const returnIndex = Int32Array.from(total, (r) => {
    let low = 0;
    let high = returns.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (returns[middle]! <= r) low = middle;
      else high = middle - 1;
    }
    return low;
  });
  return { returns: Float64Array.from(returns), returnIndex };
}
