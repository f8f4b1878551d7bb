import type { Tree } from "../tree/tree";
import { pathsOf, type Paths } from "./paths";
import type { ReturnDistribution } from "./groupExpectation";
import { checkPolicy, type TablePolicy } from "./tablePolicy";

/** The probability of every trajectory under a policy. */
export function pathProbability(tree: Tree, paths: Paths, policy: TablePolicy): Float64Array {
  const T = tree.turns;
  return paths.chance.map((chance, i) => {
    let p = chance;
    for (let j = i * T; j < i * T + paths.length[i]!; j++) {
      p *= policy[tree.nodes[paths.node[j]!]!.infoState]![paths.action[j]!]!;
    }
    return p;
  });
}

/** The probability of every return given the task, [task][return]; all 0 for a task that never occurs. */
export function returnTable(
  tree: Tree,
  paths: Paths,
  probability: ArrayLike<number>,
): readonly Float64Array[] {
  const table = tree.tasks.map(() => new Float64Array(paths.returns.length));
  const total = new Float64Array(tree.tasks.length);
  for (let i = 0; i < paths.count; i++) {
    table[paths.task[i]!]![paths.returnIndex[i]!]! += probability[i]!;
    total[paths.task[i]!]! += probability[i]!;
  }
  return table.map((row, k) => (total[k] === 0 ? row : row.map((p) => p / total[k]!)));
}

/**
 * The distribution of the undiscounted return of a task under a policy, without the returns that cannot occur.
 *
 * @throws {TypeError} if the tree has no such task
 */
export function returnDistribution(
  tree: Tree,
  policy: TablePolicy,
  task: string = tree.tasks[0]!,
): ReturnDistribution {
  checkPolicy(tree, policy);
  const k = tree.tasks.indexOf(task);
  if (k < 0) {
    throw new TypeError(
      `Cannot list returns: the task must be one of ${tree.tasks.join(", ")}, got "${task}".`,
    );
  }
  const paths = pathsOf(tree);
  const row = returnTable(tree, paths, pathProbability(tree, paths, policy))[k]!;
  const support = [...row.keys()].filter((r) => row[r]! > 0);
  return { value: support.map((r) => paths.returns[r]!), probability: support.map((r) => row[r]!) };
}
