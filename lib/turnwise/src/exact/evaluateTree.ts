import type { Tree } from "../tree/tree";
import { checkPolicy, type TablePolicy } from "./tablePolicy";

/** A policy's value on a tree, with its values and visits of every node. */
export interface TreeEvaluation {
  /** Expected undiscounted return. */
  readonly J: number;
  /** V(node): expected sum of rewards from the node on. */
  readonly value: Float64Array;
  /** Q(node, action). */
  readonly actionValue: readonly Float64Array[];
  /** Probability of reaching the node. */
  readonly occupancy: Float64Array;
  /** V of every task, which is the limit of a group's mean. */
  readonly taskValue: Float64Array;
}

/**
 * Exact values of a policy on a tree, by one pass backward and one forward.
 *
 *   V(n) = sum_a pi(a | n) Q(n, a),   Q(n, a) = sum_outcomes p (r + gamma V(next)),   J = sum_starts p V(start)
 *
 * @param o.gamma discount per turn (1)
 */
export function evaluateTree(tree: Tree, policy: TablePolicy, o: { gamma?: number } = {}): TreeEvaluation {
  checkPolicy(tree, policy);
  return evaluateByTurn(tree, () => policy, o);
}

/** `evaluateTree` for a policy that depends on the turn, as in mid-iteration, when only some turns are updated. */
export function evaluateByTurn(
  tree: Tree,
  policyAt: (turn: number) => TablePolicy,
  o: { gamma?: number } = {},
): TreeEvaluation {
  const { gamma = 1 } = o;
  const value = new Float64Array(tree.nodes.length);
  const actionValue: Float64Array[] = tree.nodes.map((node) => new Float64Array(node.outcomes.length));
  for (let n = tree.nodes.length - 1; n >= 0; n--) {
    const { infoState, outcomes, turn } = tree.nodes[n]!;
    const row = policyAt(turn)[infoState]!;
    for (let a = 0; a < outcomes.length; a++) {
      let q = 0;
      for (const { probability, reward, next } of outcomes[a]!) {
        q += probability * (reward + (next < 0 ? 0 : gamma * value[next]!));
      }
      actionValue[n]![a] = q;
      value[n]! += row[a]! * q;
    }
  }
  const taskValue = new Float64Array(tree.tasks.length);
  const taskWeight = new Float64Array(tree.tasks.length);
  let J = 0;
  for (const { node, probability, task } of tree.start) {
    J += probability * value[node]!;
    taskValue[task]! += probability * value[node]!;
    taskWeight[task]! += probability;
  }
  const conditional = taskValue.map((v, k) => (taskWeight[k] === 0 ? 0 : v / taskWeight[k]!));
  return { J, value, actionValue, occupancy: occupancyOf(tree, policyAt), taskValue: conditional };
}

/** The expected undiscounted return of a policy on a tree. */
export function treeReturn(tree: Tree, policy: TablePolicy): number {
  return evaluateTree(tree, policy).J;
}

function occupancyOf(tree: Tree, policyAt: (turn: number) => TablePolicy): Float64Array {
  const occupancy = new Float64Array(tree.nodes.length);
  for (const { node, probability } of tree.start) occupancy[node]! += probability;
  tree.nodes.forEach(({ infoState, outcomes, turn }, n) => {
    const row = policyAt(turn)[infoState]!;
    outcomes.forEach((list, a) => {
      const weight = occupancy[n]! * row[a]!;
      for (const { probability, next } of list) if (next >= 0) occupancy[next]! += weight * probability;
    });
  });
  return occupancy;
}

/**
 * The exact gradient of J with respect to the logits of every row.
 *
 *   dJ / dlogit(s, a) = pi(a | s) sum_{n sees s} P(n) (Q(n, a) - V(n))
 *
 * A row that several nodes or turns share collects all of their contributions.
 *
 * @see Sutton et al., "Policy Gradient Methods for RL with Function Approximation" (1999), theorem 1
 */
export function treeGradient(tree: Tree, policy: TablePolicy): TablePolicy {
  const { value, actionValue, occupancy } = evaluateTree(tree, policy);
  const gradient = policy.map((row) => new Float64Array(row.length));
  tree.nodes.forEach(({ infoState }, n) => {
    const row = gradient[infoState]!;
    for (let a = 0; a < row.length; a++) {
      row[a]! += policy[infoState]![a]! * occupancy[n]! * (actionValue[n]![a]! - value[n]!);
    }
  });
  return gradient;
}
