import { square } from "../base/elementary/square";
import { expectWhole } from "../base/expect";
import { groupAdvantage64 } from "../rule/advantage/groupAdvantage";
import { turnsInOrder } from "../rule/order/turnSchedule";
import type { Rng } from "../base/rng";
import type { Tree } from "../tree/tree";
import type { Certificate, Move } from "./exactIteration";
import { treeReturn } from "./evaluateTree";
import type { ExactRule } from "./exactRule";
import { moveRow } from "./step/moveRow";
import { checkPolicy, type TablePolicy } from "./tablePolicy";

/** A played trajectory: its information states and actions in order, and its return. */
interface Episode {
  readonly infoState: readonly number[];
  readonly action: readonly number[];
  readonly total: number;
}

/**
 * One iteration of a rule on a sampled batch: the arithmetic of `exactIteration` with frequencies in place of probabilities,
 * and the groups that were drawn in place of all compositions.
 *
 * The gradient is divided by the number of trajectories whatever the order, so that orders can be compared.
 *
 * @param o.groups number of groups; each draws its task with the starts' probabilities
 * @throws {TypeError} if the policy does not fit the tree
 * @throws {RangeError} if the group size is infinite, the critic exact, or there is no group
 */
export function sampledIteration(
  tree: Tree,
  policy: TablePolicy,
  rule: ExactRule,
  o: { groups: number; rng: Rng },
): Certificate {
  checkPolicy(tree, policy);
  const { groups, rng } = o;
  const G = rule.groupSize;
  if (G === Infinity || rule.baseline === "critic") {
    const value = G === Infinity ? "groupSize Infinity" : "an exact critic";
    throw new RangeError(
      `Cannot sample an iteration: the rule must have a finite group and a baseline on returns, got ${value}.`,
    );
  }
  expectWhole("sample an iteration", "groups", groups, 1);
  const episodes = play(tree, policy, groups, G, rng);
  const advantage = advantagesOf(episodes, rule);
  const carry = new Float64Array(episodes.length).fill(1);
  let current = policy;
  const moves: Move[] = [];
  const returns: number[] = [];
  for (const turns of turnsInOrder(rule.order, tree.turns, rng)) {
    const sums = frequencies(tree, episodes, advantage, carry, turns);
    const before = current;
    current = before.map((row, s) =>
      moveRow(
        {
          current: row,
          old: policy[s]!,
          positive: sums.positive[s]!,
          negative: sums.negative[s]!,
          reach: sums.reach[s]!,
        },
        rule.step,
      ),
    );
    current.forEach((to, s) => {
      const from = before[s]!;
      if (to.some((p, a) => p !== from[a]))
        moves.push({ turns, infoState: tree.infoStates[s]!.name, from, to });
    });
    updateCarry(episodes, carry, rule, policy, current, turns);
    returns.push(treeReturn(tree, current));
  }
  return { before: treeReturn(tree, policy), after: returns.at(-1)!, policy: current, moves, returns };
}

function play(tree: Tree, policy: TablePolicy, groups: number, G: number, rng: Rng): Episode[] {
  const taskProbability = new Float64Array(tree.tasks.length);
  for (const { task, probability } of tree.start) taskProbability[task]! += probability;
  const starts = tree.tasks.map((_, k) => tree.start.filter((start) => start.task === k));
  const episodes: Episode[] = [];
  for (let g = 0; g < groups; g++) {
    const own = starts[draw(taskProbability, rng)]!;
    const weight = own.map((start) => start.probability);
    for (let i = 0; i < G; i++) episodes.push(episode(tree, policy, own[draw(weight, rng)]!.node, rng));
  }
  return episodes;
}

function episode(tree: Tree, policy: TablePolicy, start: number, rng: Rng): Episode {
  const infoState: number[] = [];
  const action: number[] = [];
  let total = 0;
  for (let n = start; n >= 0;) {
    const node = tree.nodes[n]!;
    const a = draw(policy[node.infoState]!, rng);
    const outcomes = node.outcomes[a]!;
    const outcome =
      outcomes.length === 1
        ? outcomes[0]!
        : outcomes[
            draw(
              outcomes.map((x) => x.probability),
              rng,
            )
          ]!;
    infoState.push(node.infoState);
    action.push(a);
    total += outcome.reward;
    n = outcome.next;
  }
  return { infoState, action, total };
}

/** An index drawn in proportion to the weights; never one of weight 0. */
function draw(weight: ArrayLike<number>, rng: Rng): number {
  let total = 0;
  let n = 0;
  while (n < weight.length) total += weight[n++]!;
  let left = rng.next() * total;
  let last = 0;
  for (let i = 0; i < weight.length; i++) {
    if (weight[i] === 0) continue;
    last = i;
    left -= weight[i]!;
    if (left < 0) return i;
  }
  return last;
}

function advantagesOf(episodes: readonly Episode[], rule: ExactRule): ArrayLike<number> {
  const reward = episodes.map((e) => e.total);
  if (rule.baseline === "none") {
    if (rule.scale === "none") return reward;
    const mean = reward.reduce((sum, r) => sum + r, 0) / reward.length;
    const std = Math.sqrt(reward.reduce((sum, r) => sum + square(r - mean), 0) / reward.length);
    return reward.map((r) => (std === 0 ? 0 : (r - mean) / std));
  }
  return groupAdvantage64(
    reward,
    reward.map((_, i) => Math.floor(i / rule.groupSize)),
    {
      baseline: rule.baseline === "leaveOneOut" ? "leaveOneOut" : "mean",
      scale: rule.scale,
      unbiased: rule.unbiased,
      epsilon: 0,
    },
  );
}

function frequencies(
  tree: Tree,
  episodes: readonly Episode[],
  advantage: ArrayLike<number>,
  carry: Float64Array,
  turns: readonly number[],
): { positive: Float64Array[]; negative: Float64Array[]; reach: Float64Array } {
  const zero = (): Float64Array[] => tree.infoStates.map(({ actions }) => new Float64Array(actions.length));
  const [positive, negative] = [zero(), zero()];
  const reach = new Float64Array(tree.infoStates.length);
  episodes.forEach(({ infoState, action }, i) => {
    const weight = carry[i]! / episodes.length;
    for (const t of turns) {
      if (t >= action.length) continue;
      const part = advantage[i]! > 0 ? positive : negative;
      part[infoState[t]!]![action[t]!]! += weight * advantage[i]!;
      reach[infoState[t]!]! += weight;
    }
  });
  return { positive, negative, reach };
}

function updateCarry(
  episodes: readonly Episode[],
  carry: Float64Array,
  { carry: kind, carryClip: [low, high] }: ExactRule,
  old: TablePolicy,
  current: TablePolicy,
  turns: readonly number[],
): void {
  if (kind === "off") return;
  episodes.forEach(({ infoState, action }, i) => {
    for (const t of turns) {
      if (t >= action.length) continue;
      const ratio = current[infoState[t]!]![action[t]!]! / old[infoState[t]!]![action[t]!]!;
      carry[i] =
        kind === "exact"
          ? carry[i]! * ratio
          : Math.min(high, Math.max(low, carry[i]! * Math.min(high, Math.max(low, ratio))));
    }
  });
}

/**
 * Repeats `sampledIteration`. `policies` and `J` begin with the start; J is each policy's exact return, not a sample mean.
 *
 * @throws {RangeError} if `iterations` is not a whole number >= 1
 */
export function sampledRun(
  tree: Tree,
  start: TablePolicy,
  rule: ExactRule,
  o: { groups: number; iterations: number; rng: Rng },
): { policy: TablePolicy; policies: readonly TablePolicy[]; J: readonly number[] } {
  expectWhole("run a rule", "iterations", o.iterations, 1);
  const policies = [start];
  const J = [treeReturn(tree, start)];
  for (let k = 0; k < o.iterations; k++) {
    const step = sampledIteration(tree, policies.at(-1)!, rule, {
      groups: o.groups,
      rng: o.rng.split("iteration", k),
    });
    policies.push(step.policy);
    J.push(step.after);
  }
  return { policy: policies.at(-1)!, policies, J };
}
