import type { Env } from "../env/env";
import type { Policy } from "../policy/policy";
import { branchOf, freshEnv, leave } from "./leave";
import { begin, run, type Place, type Playing, type Trajectory } from "./trajectory";

/** A turn that somebody took first: what forks share is one node, the first trajectory's. */
export interface Node {
  readonly owner: Trajectory;
  readonly turn: number;
}

/** Decides how the members of a group come one after another. */
export interface Growth {
  /** Number of members that begin at the start, in a group of this size. */
  initial(size: number): number;
  /** The turns that members of the next round play again, at least one; null is the start. */
  next(grown: readonly Trajectory[], missing: number, round: number): readonly (Node | null)[];
}

/** The members of one group that exist so far. */
interface Tree {
  readonly places: readonly Place[];
  readonly grown: Trajectory[];
}

/** The first members of each group play to their end; in each round, others go back to turns of those and play on with another draw. */
export function growInRounds(
  env: Env,
  policy: Policy,
  o: Playing,
  growth: Growth,
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
      const initial = Math.min(size, Math.max(1, growth.initial(size)));
      return Array.from({ length: initial }, () => fresh(tree));
    }),
  );
  for (let round = 0; trees.some(({ places: all, grown }) => grown.length < all.length); round++) {
    play(
      trees.flatMap((tree) => {
        const missing = tree.places.length - tree.grown.length;
        if (missing === 0) return [];
        return growth
          .next(tree.grown, missing, round)
          .map((node) => (node === null ? fresh(tree) : anew(tree, node)));
      }),
    );
  }
  return new Map(trees.flatMap(({ grown }) => grown.map((one) => [one.trajectoryId, one] as const)));
}

/** The turns that members took and did not take over from another one. */
export const nodesOf = (grown: readonly Trajectory[]): Node[] =>
  grown.flatMap((owner) =>
    Array.from(owner.actions.keys())
      .slice(owner.fork?.turn ?? 0)
      .map((turn): Node => ({ owner, turn })),
  );

/** Names the history from which each turn of some members was taken: the start, or the turn before it. */
export function historyOf(grown: readonly Trajectory[]): (node: Node) => string {
  const byId = new Map(grown.map((one) => [one.trajectoryId, one]));
  return ({ owner, turn }) => {
    if (turn === 0) return "start";
    let before = owner;
    while (before.fork !== null && before.fork.turn >= turn) before = byId.get(before.fork.parent)!;
    return `${before.trajectoryId} ${turn - 1}`;
  };
}

/** -mean log-prob of a turn's tokens, nats. */
export function surprise({ owner, turn }: Node): number {
  const logProb = owner.logProb[turn]!;
  return -logProb.reduce((sum, x) => sum + x, 0) / logProb.length;
}
