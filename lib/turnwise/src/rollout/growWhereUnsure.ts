import type { Env } from "../env/env";
import type { Policy } from "../policy/policy";
import { branchOf, freshEnv, leave } from "./leave";
import { begin, run, type Place, type Playing, type Trajectory } from "./trajectory";

export interface UnsurePlan {
  readonly initial: number;
  readonly rounds: number;
  readonly penalty: number;
}

/** A turn that somebody took first: what forks share is one node, the first trajectory's. */
interface Node {
  readonly owner: Trajectory;
  readonly turn: number;
}

/** The members of one group that exist so far. */
interface Tree {
  readonly places: readonly Place[];
  readonly grown: Trajectory[];
}

/**
 * The first members of each group play to their end; in each round, others go back to the turns that the policy was least sure
 * of, and play on from there with another draw.
 *
 * score = -mean log-prob of the turn's tokens - penalty * (ways to go on from the same history - 1)
 *
 * The last turn of an episode is not played again, unless nothing else is left to do: then members begin at the start.
 *
 * @see AT²PO, arXiv 2601.04767; vllm_rollout_with_tools_tree_offline.py:364 and :1383 in zzfoutofspace/ATPO at 98e60f6
 */
export function growWhereUnsure(
  env: Env,
  policy: Policy,
  o: Playing,
  plan: UnsurePlan,
  places: readonly Place[],
): Map<string, Trajectory> {
  const stands = new Map<Trajectory, Env[]>();
  const trees = [...new Set(places.map(({ group }) => group))].map((group): Tree => {
    return { places: places.filter((place) => place.group === group), grown: [] };
  });
  const play = (made: readonly Trajectory[]): void => {
    run(made, policy, o.temperature ?? 1, (one) => stands.get(one)!.push(branchOf(one.env, 0)));
  };
  const fresh = (tree: Tree): Trajectory => {
    const trajectory = begin(freshEnv(env), o, tree.places[tree.grown.length]!);
    stands.set(trajectory, []);
    tree.grown.push(trajectory);
    return trajectory;
  };
  const anew = (tree: Tree, { owner, turn }: Node): Trajectory => {
    if (turn === 0) return fresh(tree);
    const place = tree.places[tree.grown.length]!;
    const before = stands.get(owner)!;
    const trajectory = leave(owner, branchOf(before[turn]!, place.member), turn, o, place);
    stands.set(trajectory, before.slice(0, turn));
    tree.grown.push(trajectory);
    return trajectory;
  };

  play(
    trees.flatMap((tree) => {
      const size = tree.places.length;
      const initial = Math.min(size, Math.max(1, Math.ceil(plan.initial * size)));
      return Array.from({ length: initial }, () => fresh(tree));
    }),
  );
  for (let round = 0; round < plan.rounds; round++) {
    play(
      trees.flatMap((tree) => {
        const missing = tree.places.length - tree.grown.length;
        const count = Math.ceil(missing / (plan.rounds - round));
        return leastSure(tree.grown, count, plan.penalty).map((node) =>
          node === null ? fresh(tree) : anew(tree, node),
        );
      }),
    );
  }
  return new Map(trees.flatMap(({ grown }) => grown.map((one) => [one.trajectoryId, one] as const)));
}

/** The nodes to be played again, best first and over again where there are too few; null is the start. */
function leastSure(grown: readonly Trajectory[], count: number, penalty: number): (Node | null)[] {
  const byId = new Map(grown.map((one) => [one.trajectoryId, one]));
  const nodes = grown.flatMap((owner) =>
    Array.from(owner.actions.keys())
      .slice(owner.fork?.turn ?? 0)
      .map((turn): Node => ({ owner, turn })),
  );
  const parent = ({ owner, turn }: Node): string => {
    if (turn === 0) return "start";
    let before = owner;
    while (before.fork !== null && before.fork.turn >= turn) before = byId.get(before.fork.parent)!;
    return `${before.trajectoryId} ${turn - 1}`;
  };
  const ways = new Map<string, number>();
  for (const node of nodes) ways.set(parent(node), (ways.get(parent(node)) ?? 0) + 1);
  const others = (history: string): number => penalty * Math.max(0, (ways.get(history) ?? 0) - 1);
  const scored: [Node | null, number][] = nodes
    .filter(({ owner, turn }) => turn < owner.actions.length - 1)
    .map((node) => [node, surprise(node) - others(parent(node))]);
  // The start has no tokens of the policy's.
  const ranked = [[null, -others("start")] as (typeof scored)[0], ...scored].sort(([, a], [, b]) => b - a);
  return Array.from({ length: count }, (_, k) => ranked[k % ranked.length]![0]);
}

/** -mean log-prob of a turn's tokens, nats. */
function surprise({ owner, turn }: Node): number {
  const logProb = owner.logProb[turn]!;
  return -logProb.reduce((sum, x) => sum + x, 0) / logProb.length;
}
