import { square } from "../base/elementary/square";
import type { Tree } from "../tree/tree";
import { evaluateTree } from "./evaluateTree";
import { exactRule, type ExactRule } from "./exactRule";
import { pathsOf } from "./paths";
import { pathProbability } from "./returnDistribution";
import { rowAdvantage } from "./rowAdvantage";
import type { TablePolicy } from "./tablePolicy";

/** The exact advantage of one action in one information state. */
export interface AdvantageEntry {
  readonly infoState: string;
  readonly action: string;
  /** A(s, a) = Q - V. */
  readonly advantage: number;
  /** E[A_hat | s, a] under the rule. */
  readonly expected: number;
  /** expected - advantage. With the group mean it is V(s) - V(task), the same for every action of a history. */
  readonly offset: number;
  /** Standard deviation of the return given (s, a): what a trajectory-level advantage costs in noise. */
  readonly returnStd: number;
}

/**
 * The true advantage of every action beside the expectation of a rule's estimate of it.
 *
 * For the group mean without discounting, over many groups: E[A_hat | h, a] = A(h, a) + [V(h) - V(s0)]. The offset does not
 * depend on the action, so it cancels in the gradient and in the argmax. Rows that are never reached are left out.
 */
export function advantageTable(
  tree: Tree,
  policy: TablePolicy,
  rule: ExactRule = exactRule(),
): AdvantageEntry[] {
  const turns = Array.from({ length: tree.turns }, (_, t) => t);
  const sums = rowAdvantage(tree, rule, { behavior: policy, current: policy, updated: [] }, turns);
  const { actionValue, value, occupancy } = evaluateTree(tree, policy);
  const std = returnStd(tree, policy);
  return tree.infoStates.flatMap(({ name, actions, nodes }, s) => {
    if (!(sums.reach[s]! > 0)) return [];
    return actions.flatMap((action, a) => {
      const p = policy[s]![a]!;
      if (p === 0) return [];
      const advantage =
        nodes.reduce((sum, n) => sum + occupancy[n]! * (actionValue[n]![a]! - value[n]!), 0) / sums.reach[s]!;
      const expected = (sums.positive[s]![a]! + sums.negative[s]![a]!) / (p * sums.reach[s]!);
      return [
        {
          infoState: name,
          action,
          advantage,
          expected,
          offset: expected - advantage,
          returnStd: std[s]![a]!,
        },
      ];
    });
  });
}

/** In two passes, because a difference of second moments would show round-off as noise. */
function returnStd(tree: Tree, policy: TablePolicy): Float64Array[] {
  const paths = pathsOf(tree);
  const probability = pathProbability(tree, paths, policy);
  const meanOf = (f: (r: number, s: number, a: number) => number): Float64Array[] => {
    const weight = policy.map((row) => new Float64Array(row.length));
    const sum = policy.map((row) => new Float64Array(row.length));
    for (let i = 0; i < paths.count; i++) {
      const r = paths.returns[paths.returnIndex[i]!]!;
      for (let j = i * tree.turns; j < i * tree.turns + paths.length[i]!; j++) {
        const s = tree.nodes[paths.node[j]!]!.infoState;
        const a = paths.action[j]!;
        weight[s]![a]! += probability[i]!;
        sum[s]![a]! += probability[i]! * f(r, s, a);
      }
    }
    return sum.map((row, s) => row.map((x, a) => x / weight[s]![a]!));
  };
  const mean = meanOf((r) => r);
  return meanOf((r, s, a) => square(r - mean[s]![a]!)).map((row) => row.map(Math.sqrt));
}

/**
 * The largest violation of the advantage decomposition over all trajectories that can occur.
 *
 *   R - V(start) = sum_t A(h_t, a_t)
 *
 * It holds on trees with deterministic transitions, where each turn's advantage is what the turn adds to the expectation. If
 * transitions are random, the violation is what chance added.
 *
 * @see Zhong et al., "Heterogeneous-Agent Reinforcement Learning" (JMLR 2024), lemma 4
 */
export function decompositionError(tree: Tree, policy: TablePolicy): number {
  const { actionValue, value } = evaluateTree(tree, policy);
  const paths = pathsOf(tree);
  const probability = pathProbability(tree, paths, policy);
  let worst = 0;
  for (let i = 0; i < paths.count; i++) {
    if (probability[i] === 0) continue;
    let sum = 0;
    for (let j = i * tree.turns; j < i * tree.turns + paths.length[i]!; j++) {
      sum += actionValue[paths.node[j]!]![paths.action[j]!]! - value[paths.node[j]!]!;
    }
    const gained = paths.returns[paths.returnIndex[i]!]! - value[paths.node[i * tree.turns]!]!;
    worst = Math.max(worst, Math.abs(gained - sum));
  }
  return worst;
}
