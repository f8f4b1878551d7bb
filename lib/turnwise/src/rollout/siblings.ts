import type { Env } from "../env/env";
import type { Policy } from "../policy/policy";
import { branchOf, freshEnv, idOf, leave } from "./leave";
import { begin, run, type Place, type Playing, type Trajectory } from "./trajectory";

/** A trajectory with a copy of the world before each of its turns, from which siblings can leave it later. */
export interface Trunk {
  readonly place: Place;
  readonly trajectory: Trajectory;
  /** The world before turn 0, 1, ... */
  readonly before: readonly Env[];
}

/**
 * Plays one trajectory from each place and keeps the world as it stood before every turn.
 *
 * @throws {TypeError} if the world cannot be branched
 */
export function growTrunks(env: Env, policy: Policy, o: Playing, places: readonly Place[]): Trunk[] {
  const trunks = places.map((place) => ({
    place,
    trajectory: begin(freshEnv(env), o, place),
    before: [] as Env[],
  }));
  const byTrajectory = new Map(trunks.map((trunk) => [trunk.trajectory, trunk]));
  run(
    trunks.map(({ trajectory }) => trajectory),
    policy,
    o.temperature ?? 1,
    (trajectory) => byTrajectory.get(trajectory)!.before.push(branchOf(trajectory.env, 0)),
  );
  return trunks;
}

/**
 * Plays `count` siblings of every trunk that reached `turn`: each takes the trunk's turns before it over, and plays that turn and all
 * after it with the present policy. Siblings of one trunk are a group, since they share the state at the turn.
 */
export function growSiblings(
  policy: Policy,
  o: Playing,
  trunks: readonly Trunk[],
  { turn, count }: { readonly turn: number; readonly count: number },
): Trajectory[] {
  const siblings = trunks
    .filter(({ before }) => before.length > turn)
    .flatMap(({ place, trajectory, before }) =>
      Array.from({ length: count }, (_, k): Trajectory => {
        // Unique within the group, so that no two siblings share a stream of draws.
        const member = place.member * count + k;
        const { group, seed } = place;
        const sibling = leave(trajectory, branchOf(before[turn]!, member + 1), turn, o, {
          group,
          member,
          seed,
        });
        return {
          ...sibling,
          groupId: trajectory.trajectoryId,
          trajectoryId: `${idOf(group, member)}@${turn}`,
        };
      }),
    );
  run(siblings, policy, o.temperature ?? 1);
  return siblings;
}
