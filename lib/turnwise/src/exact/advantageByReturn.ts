import { square } from "../base/elementary/square";
import type { Tree } from "../tree/tree";
import type { ExactRule } from "./exactRule";
import { expectedAdvantageParts } from "./groupExpectation";
import type { Paths } from "./paths";
import { returnTable } from "./returnDistribution";

/** E[A+ | task, return] and E[A- | task, return], [task][return]. */
export interface ReturnAdvantage {
  readonly positive: readonly Float64Array[];
  readonly negative: readonly Float64Array[];
}

/**
 * The expected advantage of a trajectory given its task and return, by sign, exactly.
 *
 * Groups are drawn from the behavior policy, and every composition of a group is summed (see `expectedAdvantageParts`).
 * With scale `batch` the divisor is the std of the group-centered returns over infinitely many groups:
 * sigma_B^2 = c E_task[Var(R | task)], where c = (G-1)/G if the mean includes the trajectory itself and G/(G-1) if not.
 * Without a baseline, `batch` also subtracts the mean over all tasks, as REINFORCE++ does.
 */
export function advantageByReturn(
  tree: Tree,
  paths: Paths,
  probability: ArrayLike<number>,
  rule: ExactRule,
): ReturnAdvantage {
  const table = returnTable(tree, paths, probability);
  if (rule.baseline === "none") {
    const { mean, std } = rule.scale === "batch" ? batchMoments(tree, paths, table) : { mean: 0, std: 1 };
    const advantage = paths.returns.map((r) => (std === 0 ? 0 : (r - mean) / std));
    const positive = table.map(() => advantage.map((x) => Math.max(x, 0)));
    const negative = table.map(() => advantage.map((x) => Math.min(x, 0)));
    return { positive, negative };
  }
  const baseline = rule.baseline === "leaveOneOut" ? "leaveOneOut" : "mean";
  const positive: Float64Array[] = [];
  const negative: Float64Array[] = [];
  const divisor = rule.scale === "batch" ? batchStd(tree, paths, table, rule.groupSize, baseline) : 1;
  for (const row of table) {
    const up = new Float64Array(row.length);
    const down = new Float64Array(row.length);
    const support = [...row.keys()].filter((r) => row[r]! > 0);
    if (support.length > 0 && divisor > 0) {
      const parts = expectedAdvantageParts(
        { value: support.map((r) => paths.returns[r]!), probability: support.map((r) => row[r]!) },
        {
          groupSize: rule.groupSize,
          baseline,
          scale: rule.scale === "batch" ? "none" : rule.scale,
          unbiased: rule.unbiased,
        },
      );
      support.forEach((r, s) => {
        up[r] = parts.positive[s]! / divisor;
        down[r] = parts.negative[s]! / divisor;
      });
    }
    positive.push(up);
    negative.push(down);
  }
  return { positive, negative };
}

function batchStd(
  tree: Tree,
  paths: Paths,
  table: readonly Float64Array[],
  G: number,
  baseline: "mean" | "leaveOneOut",
): number {
  const weight = taskWeight(tree);
  let variance = 0;
  table.forEach((row, k) => {
    const mean = row.reduce((sum, p, r) => sum + p * paths.returns[r]!, 0);
    variance += weight[k]! * row.reduce((sum, p, r) => sum + p * square(paths.returns[r]! - mean), 0);
  });
  const ofGroup = G === Infinity ? 1 : baseline === "mean" ? (G - 1) / G : G / (G - 1);
  return Math.sqrt(ofGroup * variance);
}

/** Without a baseline the batch's own mean is subtracted, which, unlike a group's, is over all tasks. */
function batchMoments(
  tree: Tree,
  paths: Paths,
  table: readonly Float64Array[],
): { mean: number; std: number } {
  const weight = taskWeight(tree);
  const moment = (f: (r: number) => number): number =>
    table.reduce(
      (sum, row, k) => sum + weight[k]! * row.reduce((part, p, r) => part + p * f(paths.returns[r]!), 0),
      0,
    );
  const mean = moment((r) => r);
  return { mean, std: Math.sqrt(moment((r) => square(r - mean))) };
}

function taskWeight(tree: Tree): Float64Array {
  const weight = new Float64Array(tree.tasks.length);
  for (const { task, probability } of tree.start) weight[task]! += probability;
  return weight;
}
