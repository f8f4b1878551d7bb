import { power } from "../../base/elementary/power";
import { expectWhole } from "../../base/expect";
import type { Rng } from "../../base/rng";
import { buildTree, type Tree } from "../tree";
import type { NodeSpec, OutcomeSpec } from "../treeSpec";

/**
 * Rewards of the leaves of a random tree.
 *
 * `uniform`: a fixed reward from U(0, 1). `binary`: a fixed 0 or 1. `bernoulli`: 1 with a probability from U(0, 1), else 0.
 * `graded`: one of 0, .1, ..., 1, fixed. `heavyTailed`: half of the leaves pay .1, .2 or .3 for sure, the others 1, 2 or 4
 * with probability .1, .2 or .3, else 0.
 */
export type LeafReward = "uniform" | "binary" | "bernoulli" | "graded" | "heavyTailed";

/** The shape of a random tree and its rewards. */
export interface RandomTreeOptions {
  readonly turns: number;
  readonly actions?: number;
  /** Number of tasks, which are visible, equally likely, and have a tree each. */
  readonly contexts?: number;
  readonly reward?: LeafReward;
  /** All nodes of all tasks share one row of the policy. */
  readonly shared?: boolean;
}

/**
 * A full tree with the same number of actions everywhere and a reward at the end.
 *
 * @throws {RangeError} if `turns`, `actions` or `contexts` is not a whole number >= 1
 */
export function randomTree(rng: Rng, o: RandomTreeOptions): Tree {
  const { turns, actions = 3, contexts = 1, reward = "uniform", shared = false } = o;
  expectWhole("make game randomTree", "turns", turns, 1);
  expectWhole("make game randomTree", "actions", actions, 1);
  expectWhole("make game randomTree", "contexts", contexts, 1);
  const nodes: Record<string, NodeSpec> = {};
  const grow = (name: string, turn: number): void => {
    const entries: [string, OutcomeSpec | readonly OutcomeSpec[]][] = [];
    for (let a = 0; a < actions; a++) {
      const next = `${name}${letter(a)}`;
      entries.push([letter(a), turn === turns - 1 ? leaf(rng, reward) : { next }]);
      if (turn < turns - 1) grow(next, turn + 1);
    }
    nodes[name] = { ...(shared ? { sees: "shared" } : {}), actions: Object.fromEntries(entries) };
  };
  const roots = Array.from({ length: contexts }, (_, c) => `${c + 1}:`);
  for (const root of roots) grow(root, 0);
  const start = roots.map((node) => ({ node, probability: 1 / contexts }));
  return buildTree({ name: `random tree, ${turns} turns, ${reward}`, start, nodes });
}

function letter(a: number): string {
  return a < 26 ? String.fromCharCode(97 + a) : `(${a})`;
}

function leaf(rng: Rng, kind: LeafReward): readonly OutcomeSpec[] {
  switch (kind) {
    case "uniform":
      return [{ reward: rng.next() }];
    case "binary":
      return [{ reward: rng.below(2) }];
    case "bernoulli":
      return chance(rng.next(), 1);
    case "graded":
      return [{ reward: rng.below(11) / 10 }];
    case "heavyTailed": {
      if (rng.below(2) === 0) return [{ reward: (1 + rng.below(3)) / 10 }];
      return chance((1 + rng.below(3)) / 10, power(2, rng.below(3)));
    }
  }
}

function chance(probability: number, reward: number): readonly OutcomeSpec[] {
  return [
    { probability, reward },
    { probability: 1 - probability, reward: 0 },
  ];
}
