import { expectWhole } from "../base/expect";
import { turnsInOrder } from "../rule/order/turnSchedule";
import type { Rng } from "../base/rng";
import type { Tree } from "../tree/tree";
import { treeReturn } from "./evaluateTree";
import type { ExactRule } from "./exactRule";
import { rowAdvantage } from "./rowAdvantage";
import { moveRow } from "./step/moveRow";
import { checkPolicy, type TablePolicy } from "./tablePolicy";

/** Change of one row in the update of one set of turns. */
export interface Move {
  readonly turns: readonly number[];
  readonly infoState: string;
  readonly from: Float64Array;
  readonly to: Float64Array;
}

/** One exact iteration: the return before and after, and which turns moved which rows. */
export interface Certificate {
  readonly before: number;
  readonly after: number;
  readonly policy: TablePolicy;
  readonly moves: readonly Move[];
  /** J after each set of turns was updated, in that order. */
  readonly returns: readonly number[];
}

/**
 * One exact iteration of a rule: expectations over every trajectory and, for a finite group size, over every composition of
 * the group take the place of sampling.
 *
 * All turns use the batch of the policy at the start of the iteration; a sequential order weighs it with the carry.
 *
 * @param rng for the random order only
 * @throws {TypeError} if the policy does not fit the tree, or a random order has no generator
 * @throws {RangeError} if there are too many trajectories or compositions to enumerate
 */
export function exactIteration(tree: Tree, policy: TablePolicy, rule: ExactRule, rng?: Rng): Certificate {
  checkPolicy(tree, policy);
  let current = policy;
  const updated: number[] = [];
  const moves: Move[] = [];
  const returns: number[] = [];
  for (const turns of turnsInOrder(rule.order, tree.turns, rng)) {
    const sums = rowAdvantage(tree, rule, { behavior: policy, current, updated }, turns);
    current = current.map((row, s) => {
      const moved = moveRow(
        {
          current: row,
          old: policy[s]!,
          positive: sums.positive[s]!,
          negative: sums.negative[s]!,
          reach: sums.reach[s]!,
        },
        rule.step,
      );
      if (moved.some((p, a) => p !== row[a])) {
        moves.push({ turns, infoState: tree.infoStates[s]!.name, from: row, to: moved });
      }
      return moved;
    });
    updated.push(...turns);
    returns.push(treeReturn(tree, current));
  }
  return { before: treeReturn(tree, policy), after: returns.at(-1)!, policy: current, moves, returns };
}

/** A sequence of exact iterations. */
export interface ExactRun {
  readonly policy: TablePolicy;
  /** The policy at the start and after every iteration. */
  readonly policies: readonly TablePolicy[];
  /** J at the start and after every iteration. */
  readonly J: readonly number[];
  /** Iterations in which J fell by more than `tolerance`. */
  readonly decreases: number;
  readonly minimum: number;
}

/**
 * Repeats `exactIteration` until `iterations` are done, J reaches `target`, or nothing moves.
 *
 * @param o.tolerance smaller falls of J count as round-off (1e-12)
 * @throws {RangeError} if `iterations` is not a whole number >= 1
 */
export function exactRun(
  tree: Tree,
  start: TablePolicy,
  rule: ExactRule,
  o: { iterations: number; target?: number; tolerance?: number; rng?: Rng },
): ExactRun {
  const { iterations, target = Infinity, tolerance = 1e-12, rng } = o;
  expectWhole("run a rule", "iterations", iterations, 1);
  const policies = [start];
  const J = [treeReturn(tree, start)];
  let decreases = 0;
  for (let k = 0; k < iterations && J.at(-1)! < target; k++) {
    const { after, policy: next, moves } = exactIteration(tree, policies.at(-1)!, rule, rng);
    if (after < J.at(-1)! - tolerance) decreases++;
    J.push(after);
    policies.push(next);
    if (moves.length === 0 && rule.order !== "random") break;
  }
  const policy = policies.at(-1)!;
  return { policy, policies, J, decreases, minimum: J.reduce((least, x) => Math.min(least, x), Infinity) };
}
