import { expectWhole } from "../base/expect";
import type { Tree } from "../tree/tree";
import { exactIteration } from "./exactIteration";
import { treeReturn } from "./evaluateTree";
import type { ExactRule } from "./exactRule";
import { clonePolicy, uniformPolicy, type TablePolicy } from "./tablePolicy";
import type { Rng } from "../base/rng";

/** A row of two actions, read as the probability of one of them. */
export interface Axis {
  readonly infoState: string;
  readonly action: string;
}

/** A point of a phase portrait, and where one iteration takes it. */
export interface PhasePoint {
  readonly x: number;
  readonly y: number;
  /** Increments of x and y in one exact iteration. */
  readonly dx: number;
  readonly dy: number;
  readonly J: number;
  /** J after the iteration minus J. */
  readonly gain: number;
}

/**
 * The vector field of a rule on policies with two free probabilities: one exact iteration from each point of a grid.
 *
 * All other rows start every iteration as they are in `base`.
 *
 * @param o.points grid points on each axis, spread over (0, 1) (11)
 * @throws {TypeError} if an axis is not an action of a row of two
 * @throws {RangeError} if `points` is not a whole number >= 2
 */
export function phasePortrait(
  tree: Tree,
  rule: ExactRule,
  axes: { readonly x: Axis; readonly y: Axis },
  o: { points?: number; base?: TablePolicy; rng?: Rng } = {},
): PhasePoint[] {
  const { points = 11, base = uniformPolicy(tree), rng } = o;
  expectWhole("draw a phase portrait", "points", points, 2);
  const x = find(tree, axes.x);
  const y = find(tree, axes.y);
  const at = (i: number): number => (i + 0.5) / points;
  const field: PhasePoint[] = [];
  for (let i = 0; i < points; i++) {
    for (let j = 0; j < points; j++) {
      const policy = clonePolicy(base);
      set(policy, x, at(i));
      set(policy, y, at(j));
      const { before, after, policy: next } = exactIteration(tree, policy, rule, rng);
      const dx = next[x.row]![x.action]! - at(i);
      const dy = next[y.row]![y.action]! - at(j);
      field.push({ x: at(i), y: at(j), dx, dy, J: before, gain: after - before });
    }
  }
  return field;
}

/** The return over the square of the two probabilities, for the ground under the arrows. */
export function returnSurface(
  tree: Tree,
  axes: { readonly x: Axis; readonly y: Axis },
  o: { points?: number; base?: TablePolicy } = {},
): { x: number; y: number; J: number }[] {
  const { points = 21, base = uniformPolicy(tree) } = o;
  const x = find(tree, axes.x);
  const y = find(tree, axes.y);
  const surface: { x: number; y: number; J: number }[] = [];
  for (let i = 0; i < points; i++) {
    for (let j = 0; j < points; j++) {
      const policy = clonePolicy(base);
      set(policy, x, (i + 0.5) / points);
      set(policy, y, (j + 0.5) / points);
      surface.push({ x: (i + 0.5) / points, y: (j + 0.5) / points, J: treeReturn(tree, policy) });
    }
  }
  return surface;
}

/**
 * The two probabilities and the return of each policy of a run: the path of training across a phase portrait.
 *
 * @param policies such as `exactRun(...).policies` or `sampledRun(...).policies`
 * @throws {TypeError} if an axis is not an action of a row of two
 */
export function phasePath(
  tree: Tree,
  policies: readonly TablePolicy[],
  axes: { readonly x: Axis; readonly y: Axis },
): { x: number; y: number; J: number }[] {
  const x = find(tree, axes.x);
  const y = find(tree, axes.y);
  return policies.map((policy) => ({
    x: policy[x.row]![x.action]!,
    y: policy[y.row]![y.action]!,
    J: treeReturn(tree, policy),
  }));
}

function find(tree: Tree, axis: Axis): { row: number; action: number } {
  const row = tree.infoStates.findIndex((state) => state.name === axis.infoState);
  const actions = row < 0 ? [] : tree.infoStates[row]!.actions;
  const action = actions.indexOf(axis.action);
  if (action < 0 || actions.length !== 2) {
    throw new TypeError(
      `Cannot draw a phase portrait: an axis must be an action of a row of two, ` +
        `but ${axis.infoState} offers ${actions.join(", ") || "nothing"}, got "${axis.action}".`,
    );
  }
  return { row, action };
}

function set(policy: TablePolicy, { row, action }: { row: number; action: number }, p: number): void {
  policy[row]![action] = p;
  policy[row]![1 - action] = 1 - p;
}
