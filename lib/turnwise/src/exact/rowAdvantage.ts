import { square } from "../base/elementary/square";
import { clamp } from "../base/statistics";
import type { Tree } from "../tree/tree";
import { advantageByReturn } from "./advantageByReturn";
import { evaluateByTurn } from "./evaluateTree";
import type { ExactRule } from "./exactRule";
import { pathsOf } from "./paths";
import { pathProbability } from "./returnDistribution";
import type { TablePolicy } from "./tablePolicy";

/**
 * Advantage that a batch of infinitely many groups gives each row of the policy: sums of weight x advantage, by sign.
 *
 * A trajectory's weight is its probability under the behavior policy times its carry.
 */
export interface RowAdvantage {
  readonly positive: readonly Float64Array[];
  readonly negative: readonly Float64Array[];
  /** Sum of the weights of all visits of the row. */
  readonly reach: Float64Array;
}

export interface TurnState {
  /** The policy that sampled the batch. */
  readonly behavior: TablePolicy;
  /** The policy after the turns already updated in this iteration. */
  readonly current: TablePolicy;
  /** Those turns, in the order of their updates. */
  readonly updated: readonly number[];
}

/**
 * The exact sums for the rows that are played at `turns`.
 *
 *   positive(s, a) = sum_tau P_old(tau) M(tau) sum_{t in turns} 1[s_t = s, a_t = a] E[A+ | tau]
 *
 * where M is the product of the ratios (current / behavior) of the turns already updated, treated as the rule's carry says.
 */
export function rowAdvantage(
  tree: Tree,
  rule: ExactRule,
  state: TurnState,
  turns: readonly number[],
): RowAdvantage {
  const sums: RowAdvantage = {
    positive: tree.infoStates.map(({ actions }) => new Float64Array(actions.length)),
    negative: tree.infoStates.map(({ actions }) => new Float64Array(actions.length)),
    reach: new Float64Array(tree.infoStates.length),
  };
  if (rule.baseline === "critic") addCritic(tree, rule, state, turns, sums);
  else addReturns(tree, rule, state, turns, sums);
  return sums;
}

function addReturns(
  tree: Tree,
  rule: ExactRule,
  state: TurnState,
  turns: readonly number[],
  sums: RowAdvantage,
): void {
  const paths = pathsOf(tree);
  const probability = pathProbability(tree, paths, state.behavior);
  const { positive, negative } = advantageByReturn(tree, paths, probability, rule);
  const T = tree.turns;
  for (let i = 0; i < paths.count; i++) {
    if (probability[i] === 0) continue;
    const weight = probability[i]! * carryOf(tree, rule, state, paths, i);
    const up = weight * positive[paths.task[i]!]![paths.returnIndex[i]!]!;
    const down = weight * negative[paths.task[i]!]![paths.returnIndex[i]!]!;
    for (const t of turns) {
      if (t >= paths.length[i]!) continue;
      const s = tree.nodes[paths.node[i * T + t]!]!.infoState;
      const a = paths.action[i * T + t]!;
      sums.positive[s]![a]! += up;
      sums.negative[s]![a]! += down;
      sums.reach[s]! += weight;
    }
  }
}

/** The running product of ratios, in the order of the updates. */
function carryOf(
  tree: Tree,
  { carry, carryClip: [low, high] }: ExactRule,
  { behavior, current, updated }: TurnState,
  paths: { length: Int32Array; node: Int32Array; action: Int32Array },
  i: number,
): number {
  if (carry === "off") return 1;
  let product = 1;
  for (const t of updated) {
    if (t >= paths.length[i]!) continue;
    const j = i * tree.turns + t;
    const s = tree.nodes[paths.node[j]!]!.infoState;
    const a = paths.action[j]!;
    const ratio = current[s]![a]! / behavior[s]![a]!;
    product = carry === "exact" ? ratio * product : clamp(clamp(ratio, low, high) * product, low, high);
  }
  return product;
}

/** A = Q - V of the exact critic; an exact carry evaluates it under the turns already updated. */
function addCritic(
  tree: Tree,
  rule: ExactRule,
  { behavior, current, updated }: TurnState,
  turns: readonly number[],
  sums: RowAdvantage,
): void {
  const { value, actionValue, occupancy } = evaluateByTurn(tree, (turn) =>
    rule.carry === "exact" && updated.includes(turn) ? current : behavior,
  );
  const divisor = rule.scale === "batch" ? criticStd(tree, behavior) : 1;
  tree.nodes.forEach(({ infoState: s, turn }, n) => {
    if (!turns.includes(turn)) return;
    sums.reach[s]! += occupancy[n]!;
    behavior[s]!.forEach((p, a) => {
      const advantage = divisor === 0 ? 0 : (actionValue[n]![a]! - value[n]!) / divisor;
      const weighted = occupancy[n]! * p * advantage;
      if (weighted > 0) sums.positive[s]![a]! += weighted;
      else sums.negative[s]![a]! += weighted;
    });
  });
}

/** Std of Q - V over the turns of a batch. */
function criticStd(tree: Tree, behavior: TablePolicy): number {
  const { value, actionValue, occupancy } = evaluateByTurn(tree, () => behavior);
  let variance = 0;
  let visits = 0;
  tree.nodes.forEach(({ infoState }, n) => {
    visits += occupancy[n]!;
    behavior[infoState]!.forEach((p, a) => {
      variance += occupancy[n]! * p * square(actionValue[n]![a]! - value[n]!);
    });
  });
  return Math.sqrt(variance / visits);
}
