import { log } from "../base/elementary/log";
import type { Rng } from "../base/rng";
import type { Tree } from "../tree/tree";

/** Probabilities of the actions, one row per information state, in the order of `tree.infoStates`. */
export type TablePolicy = readonly Float64Array[];

/** The policy that takes every action equally often. */
export function uniformPolicy(tree: Tree): TablePolicy {
  return tree.infoStates.map(({ actions }) => new Float64Array(actions.length).fill(1 / actions.length));
}

/**
 * A policy given by names: information states that are not named are uniform, actions that are not named have probability 0.
 *
 * @throws {TypeError} if a name is unknown
 * @throws {RangeError} if the probabilities of a row are negative or do not sum to 1
 */
export function tablePolicy(
  tree: Tree,
  rows: Readonly<Record<string, Readonly<Record<string, number>>>>,
): TablePolicy {
  const what = `Cannot make a policy for tree "${tree.name}":`;
  const policy = uniformPolicy(tree);
  for (const [name, row] of Object.entries(rows)) {
    const i = tree.infoStates.findIndex((state) => state.name === name);
    if (i < 0) {
      const names = tree.infoStates.map((state) => state.name).join(", ");
      throw new TypeError(`${what} a row must belong to one of ${names}, got "${name}".`);
    }
    const { actions } = tree.infoStates[i]!;
    policy[i]!.fill(0);
    for (const [action, p] of Object.entries(row)) {
      const a = actions.indexOf(action);
      if (a < 0) {
        throw new TypeError(
          `${what} ${name} offers ${actions.join(", ")} only: there is no action "${action}"`,
        );
      }
      policy[i]![a] = p;
    }
    const total = policy[i]!.reduce((sum, p) => sum + p, 0);
    if (policy[i]!.some((p) => !(p >= 0)) || Math.abs(total - 1) > 1e-9) {
      throw new RangeError(
        `${what} probabilities must be >= 0 and sum to 1, but ${name} has ${policy[i]!.join(", ")}`,
      );
    }
  }
  return policy;
}

/** A policy whose rows are drawn uniformly from the simplex (the flat Dirichlet distribution). */
export function randomPolicy(tree: Tree, rng: Rng): TablePolicy {
  return tree.infoStates.map(({ actions }) =>
    normalize(Float64Array.from(actions, () => -log(1 - rng.next()))),
  );
}

/**
 * pi(action | information state), by names.
 *
 * @throws {TypeError} if a name is unknown
 */
export function probabilityOf(tree: Tree, policy: TablePolicy, infoState: string, action: string): number {
  const i = tree.infoStates.findIndex((state) => state.name === infoState);
  const a = i < 0 ? -1 : tree.infoStates[i]!.actions.indexOf(action);
  if (a < 0) {
    throw new TypeError(
      `Cannot read a probability: tree "${tree.name}" must have ${infoState} with action ${action}.`,
    );
  }
  return policy[i]![a]!;
}

export function clonePolicy(policy: TablePolicy): TablePolicy {
  return policy.map((row) => row.slice());
}

/** @throws {TypeError} if the policy does not have a row of the right length for every information state */
export function checkPolicy(tree: Tree, policy: TablePolicy): void {
  const expected = tree.infoStates.map(({ actions }) => actions.length);
  const actual = policy.map((row) => row.length);
  if (expected.length === actual.length && expected.every((n, i) => n === actual[i])) return;
  throw new TypeError(
    `Cannot use the policy for tree "${tree.name}": its rows must have lengths ${expected.join(", ")}, ` +
      `got ${actual.join(", ")}.`,
  );
}

export function normalize(weights: Float64Array): Float64Array {
  const total = weights.reduce((sum, w) => sum + w, 0);
  return weights.map((w) => w / total);
}
