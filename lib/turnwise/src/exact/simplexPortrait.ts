import { expectWhole } from "../base/expect";
import type { Rng } from "../base/rng";
import type { Tree } from "../tree/tree";
import { treeReturn } from "./evaluateTree";
import { exactIteration } from "./exactIteration";
import type { ExactRule } from "./exactRule";
import { clonePolicy, uniformPolicy, type TablePolicy } from "./tablePolicy";

/** Probabilities of three actions; they sum to 1. */
export type Simplex = readonly [number, number, number];

/** A distribution over three actions, and where one iteration takes it. */
export interface SimplexPoint {
  readonly p: Simplex;
  /** Increments of p in one exact iteration; they sum to 0. */
  readonly dp: Simplex;
  readonly J: number;
  /** J after the iteration minus J. */
  readonly gain: number;
}

/** A triangle of the simplex with the return at its center. */
export interface SimplexCell {
  readonly corners: readonly [Simplex, Simplex, Simplex];
  readonly J: number;
}

/**
 * The vector field of a rule on one row of three actions: one exact iteration from each point of a triangular grid.
 *
 * The points are ((i, j, k) + 1/3)/n with i + j + k = n - 1: n (n + 1)/2 of them, none on the border. All other rows start
 * every iteration as they are in `base`.
 *
 * @param infoState name of the row
 * @param o.points n (10)
 * @throws {TypeError} if the row does not have three actions
 * @throws {RangeError} if `points` is not a whole number >= 1
 */
export function simplexPortrait(
  tree: Tree,
  rule: ExactRule,
  infoState: string,
  o: { points?: number; base?: TablePolicy; rng?: Rng } = {},
): SimplexPoint[] {
  const { points = 10, base = uniformPolicy(tree), rng } = o;
  const row = findRow(tree, infoState);
  return grid(points, 1 / 3).map((p) => {
    const { before, after, policy } = exactIteration(tree, withRow(base, row, p), rule, rng);
    const next = policy[row]!;
    return { p, dp: [next[0]! - p[0], next[1]! - p[1], next[2]! - p[2]], J: before, gain: after - before };
  });
}

/**
 * The return over the simplex of one row: n^2 triangles, each with J at its center.
 *
 * @throws {TypeError} if the row does not have three actions
 * @throws {RangeError} if `points` is not a whole number >= 1
 */
export function simplexSurface(
  tree: Tree,
  infoState: string,
  o: { points?: number; base?: TablePolicy } = {},
): SimplexCell[] {
  const { points = 20, base = uniformPolicy(tree) } = o;
  const row = findRow(tree, infoState);
  // The centers of triangles that point up lie a third of a grid step in, those of triangles that point down two thirds.
  return [1 / 3, 2 / 3].flatMap((offset) =>
    grid(points, offset).map((p): SimplexCell => {
      const towards = (a: number): Simplex =>
        p.map((x, b) => x + ((a === b ? 1 : 0) - 1 / 3) * (offset < 0.5 ? 1 / points : -1 / points)) as never;
      return { corners: [towards(0), towards(1), towards(2)], J: treeReturn(tree, withRow(base, row, p)) };
    }),
  );
}

/**
 * The probabilities of one row in each policy of a run, and its return: the path of training across the simplex.
 *
 * @param policies such as `exactRun(...).policies` or `sampledRun(...).policies`
 * @throws {TypeError} if the row does not have three actions
 */
export function simplexPath(
  tree: Tree,
  policies: readonly TablePolicy[],
  infoState: string,
): { p: Simplex; J: number }[] {
  const row = findRow(tree, infoState);
  return policies.map((policy) => ({ p: [...policy[row]!] as never, J: treeReturn(tree, policy) }));
}

function grid(points: number, offset: number): Simplex[] {
  expectWhole("draw a simplex", "points", points, 1);
  const found: Simplex[] = [];
  const sum = points - Math.round(3 * offset);
  for (let i = 0; i <= sum; i++) {
    for (let j = 0; i + j <= sum; j++) {
      found.push([(i + offset) / points, (j + offset) / points, (sum - i - j + offset) / points]);
    }
  }
  return found;
}

function findRow(tree: Tree, infoState: string): number {
  const row = tree.infoStates.findIndex((state) => state.name === infoState);
  const actions = row < 0 ? [] : tree.infoStates[row]!.actions;
  if (actions.length === 3) return row;
  throw new TypeError(
    `Cannot draw a simplex: the row must have three actions, but ${infoState} offers ${actions.join(", ") || "nothing"}.`,
  );
}

function withRow(base: TablePolicy, row: number, p: Simplex): TablePolicy {
  const policy = clonePolicy(base);
  policy[row]!.set(p);
  return policy;
}
