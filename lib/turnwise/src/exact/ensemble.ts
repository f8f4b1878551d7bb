import { expectWhole } from "../base/expect";
import { createRng, type Rng } from "../base/rng";
import { randomTree, type RandomTreeOptions } from "../tree/games";
import type { Tree } from "../tree/tree";
import { exactIteration, exactRun } from "./exactIteration";
import type { ExactRule } from "./exactRule";
import { randomPolicy, uniformPolicy, type TablePolicy } from "./tablePolicy";
import { treeOptimum } from "./treeOptimum";

/** Which random trees are tried. */
export interface EnsembleOptions extends RandomTreeOptions {
  readonly trees: number;
  readonly seed?: number;
  /** The policy from which every tree starts; `random` is uniform over the simplex. */
  readonly start?: "random" | "uniform";
  /** Called after every tree. */
  readonly onProgress?: (done: number, total: number) => void;
}

/** Number of times that one step lowered J. */
export interface DecreaseRate {
  readonly decreases: number;
  readonly trees: number;
  readonly rate: number;
  /** The largest fall of J, as a negative number; 0 if there was none. */
  readonly worst: number;
  /** The tree and policy of the largest fall. */
  readonly counterexample: { readonly tree: Tree; readonly policy: TablePolicy } | null;
}

/**
 * Counts how often one exact iteration of a rule lowers the return, over random trees.
 *
 * @param o.tolerance smaller falls count as round-off (1e-10)
 */
export function decreaseRate(rule: ExactRule, o: EnsembleOptions & { tolerance?: number }): DecreaseRate {
  const { tolerance = 1e-10 } = o;
  let decreases = 0;
  let worst = 0;
  let counterexample: DecreaseRate["counterexample"] = null;
  forEachTree(o, (tree, policy, rng) => {
    const { before, after } = exactIteration(tree, policy, rule, rng);
    if (after < before - tolerance) decreases++;
    if (after - before < Math.min(worst, -tolerance)) {
      worst = after - before;
      counterexample = { tree, policy };
    }
  });
  return { decreases, trees: o.trees, rate: decreases / o.trees, worst, counterexample };
}

/** Number of runs that missed their target. */
export interface FailureRate {
  /** Trees on which the target was not reached. */
  readonly failures: number;
  readonly trees: number;
  readonly rate: number;
  /** Median number of iterations to the target, over the trees that reached it; NaN if none did. */
  readonly medianIterations: number;
}

/**
 * Counts how often a rule does not come near the optimum, over random trees.
 *
 * @param o.target the fraction of the optimum that must be reached (.98)
 * @param o.iterations upper limit of iterations
 */
export function failureRate(
  rule: ExactRule,
  o: EnsembleOptions & { iterations: number; target?: number },
): FailureRate {
  const { target = 0.98, iterations } = o;
  const reached: number[] = [];
  forEachTree({ start: "uniform", ...o }, (tree, policy, rng) => {
    const goal = target * treeOptimum(tree).J;
    const { J } = exactRun(tree, policy, rule, { iterations, target: goal, rng });
    if (J.at(-1)! >= goal) reached.push(J.length - 1);
  });
  reached.sort((a, b) => a - b);
  const middle = (reached.length - 1) / 2;
  const medianIterations =
    reached.length === 0 ? NaN : (reached[Math.floor(middle)]! + reached[Math.ceil(middle)]!) / 2;
  const failures = o.trees - reached.length;
  return { failures, trees: o.trees, rate: failures / o.trees, medianIterations };
}

function forEachTree(o: EnsembleOptions, visit: (tree: Tree, policy: TablePolicy, rng: Rng) => void): void {
  expectWhole("sample an ensemble", "trees", o.trees, 1);
  for (let i = 0; i < o.trees; i++) {
    const rng = createRng(o.seed ?? 0).split("tree", i);
    const tree = randomTree(rng.split("tree"), o);
    const policy = o.start === "uniform" ? uniformPolicy(tree) : randomPolicy(tree, rng.split("policy"));
    visit(tree, policy, rng.split("order"));
    o.onProgress?.(i + 1, o.trees);
  }
}
