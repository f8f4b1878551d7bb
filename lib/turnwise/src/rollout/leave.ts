import type { Fork } from "../batch/batch";
import type { Env } from "../env/env";
import { drawsOf, type Place, type Playing, type Trajectory } from "./trajectory";

export const idOf = (group: number, member: number): string => `${group}.${member}`;

export function freshEnv(env: Env): Env {
  return env.fork?.() ?? refused(env);
}

export function branchOf(env: Env, stream: number): Env {
  return env.branch?.(stream) ?? refused(env);
}

function refused({ spec }: Env): never {
  throw new TypeError(
    `Cannot collect with forks: the world must have fork and branch, but ${spec.id} cannot be copied in the middle of an episode.`,
  );
}

/** A trajectory that took its first turns over from its parent, in an environment that stands behind them. */
export function leave(
  parent: Trajectory,
  env: Env,
  turn: number,
  o: Playing,
  { group, member }: Place,
): Trajectory {
  const whole = turn === parent.actions.length;
  const fork: Fork = {
    tree: parent.fork?.tree ?? parent.trajectoryId,
    parent: parent.trajectoryId,
    turn,
  };
  return {
    env,
    rng: drawsOf(o, group, member),
    groupId: parent.groupId,
    trajectoryId: idOf(group, member),
    observations: parent.observations.slice(0, turn + 1),
    actions: parent.actions.slice(0, turn),
    logProb: parent.logProb.slice(0, turn),
    contexts: parent.contexts.slice(0, turn),
    rewards: parent.rewards.slice(0, turn),
    infos: parent.infos.slice(0, turn),
    fork,
    ended: whole && parent.ended,
    truncated: whole && parent.truncated,
  };
}
