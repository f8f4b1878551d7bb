import type { Tree } from "../tree/tree";
import { evaluateTree, treeReturn } from "./evaluateTree";
import { uniformPolicy, type TablePolicy } from "./tablePolicy";

/** An optimal policy of a tree, and how it was found. */
export interface TreeOptimum {
  readonly J: number;
  readonly policy: TablePolicy;
  /** `dynamicProgramming` if every information state is one node, else the best of all deterministic policies. */
  readonly method: "dynamicProgramming" | "deterministicPolicies";
}

const MAX_POLICIES = 200_000;

/**
 * The best policy of a tree.
 *
 *   V*(n) = max_a sum_outcomes p (r + V*(next))
 *
 * if the policy sees the node. Where nodes look alike, every deterministic policy is tried; a stochastic one can only be
 * better if one parameter serves several turns (`differToWin`: 1/2 at p = 1/2, where deterministic policies get 0).
 *
 * @throws {RangeError} if nodes look alike and there are more than 200,000 deterministic policies
 */
export function treeOptimum(tree: Tree): TreeOptimum {
  if (tree.infoStates.every(({ nodes }) => nodes.length === 1)) {
    const policy = backwardInduction(tree);
    return { J: treeReturn(tree, policy), policy, method: "dynamicProgramming" };
  }
  let best: { J: number; policy: TablePolicy } | undefined;
  for (const policy of deterministicPolicies(tree)) {
    const J = treeReturn(tree, policy);
    if (!best || J > best.J + 1e-12) best = { J, policy };
  }
  return { ...best!, method: "deterministicPolicies" };
}

function backwardInduction(tree: Tree): TablePolicy {
  const policy = uniformPolicy(tree).map((row) => row.fill(0));
  const value = new Float64Array(tree.nodes.length);
  for (let n = tree.nodes.length - 1; n >= 0; n--) {
    const { infoState, outcomes } = tree.nodes[n]!;
    const q = outcomes.map((list) =>
      list.reduce(
        (sum, { probability, reward, next }) => sum + probability * (reward + (next < 0 ? 0 : value[next]!)),
        0,
      ),
    );
    value[n] = Math.max(...q);
    policy[infoState]![q.indexOf(value[n]!)] = 1;
  }
  return policy;
}

/**
 * Every deterministic policy.
 *
 * @throws {RangeError} if there are more than 200,000
 */
export function* deterministicPolicies(tree: Tree): Generator<TablePolicy> {
  const sizes = tree.infoStates.map(({ actions }) => actions.length);
  const count = sizes.reduce((product, n) => product * n, 1);
  if (count > MAX_POLICIES) {
    throw new RangeError(
      `Cannot try every policy of tree "${tree.name}": there must be at most ${MAX_POLICIES}, but there are ${count}.`,
    );
  }
  for (let code = 0; code < count; code++) {
    let rest = code;
    yield sizes.map((n) => {
      const row = new Float64Array(n);
      row[rest % n] = 1;
      rest = Math.floor(rest / n);
      return row;
    });
  }
}

/** Gain that one turn could reach by changing its own rows while the other turns stay as they are. */
export interface NashGap {
  /** The largest gain over turns; 0 at a Nash point of turn-wise play. */
  readonly gap: number;
  readonly byTurn: Float64Array;
}

/**
 * Distance of a policy from a Nash point of turn-wise play.
 *
 *   gap = max_t [ max_{pi_t} J(pi_t, pi_{-t}) - J(pi) ]
 *
 * The turns are separate players: a row that several turns share deviates at one of them only.
 *
 * @see Zhong et al., "Heterogeneous-Agent Reinforcement Learning" (JMLR 2024), theorem 14: limit points of sequential play
 *   are Nash points
 */
export function nashGap(tree: Tree, policy: TablePolicy): NashGap {
  const { actionValue, occupancy } = evaluateTree(tree, policy);
  const byTurn = new Float64Array(tree.turns);
  tree.infoStates.forEach(({ nodes, turns, actions }, s) => {
    for (const turn of turns) {
      const worth = actions.map((_, a) =>
        nodes.reduce(
          (sum, n) => (tree.nodes[n]!.turn === turn ? sum + occupancy[n]! * actionValue[n]![a]! : sum),
          0,
        ),
      );
      byTurn[turn]! += Math.max(...worth) - worth.reduce((sum, w, a) => sum + policy[s]![a]! * w, 0);
    }
  });
  return { gap: Math.max(...byTurn), byTurn };
}

/** Every deterministic Nash point of turn-wise play, with its return, best first. */
export function nashPoints(tree: Tree): { J: number; policy: TablePolicy }[] {
  const points: { J: number; policy: TablePolicy }[] = [];
  for (const policy of deterministicPolicies(tree)) {
    if (nashGap(tree, policy).gap <= 1e-12) points.push({ J: treeReturn(tree, policy), policy });
  }
  return points.sort((a, b) => b.J - a.J);
}
