import type { Env, Info, Observation } from "../env/env";
import type { Policy } from "../policy/policy";
import type { Fork } from "../batch/batch";
import type { Rng } from "../base/rng";
import { greedy } from "./greedy";
import { Nucleus } from "./nucleus";

export interface Trajectory {
  readonly env: Env;
  readonly rng: Rng;
  readonly groupId: string;
  readonly trajectoryId: string;
  readonly observations: Observation[];
  readonly actions: (readonly number[])[];
  readonly logProb: (readonly number[])[];
  readonly contexts: unknown[];
  readonly rewards: number[];
  readonly infos: Info[];
  /** Place where it left another trajectory; null for one that began at the start. */
  readonly fork: Fork | null;
  ended: boolean;
  truncated: boolean;
}

export interface Place {
  readonly group: number;
  readonly member: number;
  /** Seed of the group's start state. */
  readonly seed: number;
}

/** Takes part in a rollout: what `collect` was asked for, as far as a single trajectory is concerned. */
export interface Playing {
  readonly rng: Rng;
  readonly temperature?: number;
  readonly greedy?: boolean;
  readonly topP?: number;
}

export function begin(env: Env, o: Playing, { group, member, seed }: Place): Trajectory {
  const [observation, info] = env.reset({ seed, member });
  const { taskId } = info;
  return {
    env,
    rng: drawsOf(o, group, member),
    groupId: typeof taskId === "string" ? `${group}:${taskId}` : String(group),
    trajectoryId: `${group}.${member}`,
    observations: [observation],
    actions: [],
    logProb: [],
    contexts: [],
    rewards: [],
    infos: [],
    fork: null,
    ended: false,
    truncated: false,
  };
}

/** Generator of a member's draws by the policy: it depends on nothing but the group and the member. */
export function drawsOf(o: Playing, group: number, member: number): Rng {
  const draws = o.rng.split("policy", group, member);
  if (o.greedy) return greedy(draws);
  return (o.topP ?? 1) < 1 ? new Nucleus(draws, o.topP!) : draws;
}

/** Takes a turn in each of the trajectories, side by side. */
export function takeTurns(live: readonly Trajectory[], policy: Policy, temperature: number): void {
  const rngs = live.map((trajectory) => trajectory.rng);
  const samples = policy.sample(live, rngs, { temperature });
  for (let i = 0; i < live.length; i++) take(live[i]!, samples[i]!);
}

/** Takes a turn in each trajectory that is still running, until all have ended; `before` sees them ahead of each turn. */
export function run(
  trajectories: readonly Trajectory[],
  policy: Policy,
  temperature: number,
  before?: (trajectory: Trajectory) => void,
): void {
  let live = trajectories.filter((trajectory) => !trajectory.ended);
  while (live.length > 0) {
    if (before) for (const trajectory of live) before(trajectory);
    takeTurns(live, policy, temperature);
    live = live.filter((trajectory) => !trajectory.ended);
  }
}

function take(trajectory: Trajectory, sample: ReturnType<Policy["sample"]>[number]): void {
  const [observation, reward, terminated, truncated, info] = trajectory.env.step(sample.tokens);
  trajectory.actions.push(sample.tokens);
  const { rng } = trajectory;
  trajectory.logProb.push(rng instanceof Nucleus ? rng.processed(sample.logProb) : sample.logProb);
  trajectory.contexts.push(sample.context);
  trajectory.rewards.push(reward);
  trajectory.infos.push(info);
  trajectory.observations.push(observation);
  const outOfTurns = trajectory.actions.length >= trajectory.env.spec.maxTurns;
  trajectory.ended = terminated || truncated || outOfTurns;
  trajectory.truncated = !terminated && trajectory.ended;
}
