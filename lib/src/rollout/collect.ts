import { expectWhole } from "../base/expect";
import type { Env, Info, Observation } from "../env/env";
import type { Policy } from "../policy/policy";
import type { Rng } from "../base/rng";
import type { Batch } from "../batch/batch";
import { greedy } from "./greedy";
import { turnMarkers } from "./turnMarkers";

export interface CollectOptions {
  /** P: number of start states. */
  readonly groups: number;
  /** G: number of trajectories from each start state. */
  readonly groupSize: number;
  readonly rng: Rng;
  /** Index of the first group. Collecting groups 0..3 and then 4..7 draws the same as collecting 0..7. Default 0. */
  readonly firstGroup?: number;
  /** Divides the logits while sampling; the stored log-probs are those of the tempered policy. Default 1. */
  readonly temperature?: number;
  /** Take the likeliest token instead of drawing one. Default false. */
  readonly greedy?: boolean;
}

interface Trajectory {
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
  ended: boolean;
  truncated: boolean;
}

interface Place {
  readonly group: number;
  readonly member: number;
  /** Seed of the group's start state. */
  readonly seed: number;
}

/**
 * Samples groups x groupSize trajectories; the members of a group share their start state.
 *
 * The draws of a trajectory depend only on `rng`, its group and its member: neither on how the batch was split, nor on
 * which other trajectories ran beside it. An episode that is still running after `spec.maxTurns` turns is truncated.
 *
 * @throws {RangeError} if a count is not a whole number >= 1 or the temperature is not above 0
 * @example
 * import { collect, createPolicy, createRng, make } from "turnwise";
 * const env = make("LookUp-v0");
 * const batch = collect(env, createPolicy(env.spec), { groups: 2, groupSize: 4, rng: createRng(1) });
 * batch.shape; // => [8, 2, 2]
 */
export function collect(env: Env, policy: Policy, o: CollectOptions): Batch {
  expectWhole("collect", "groups", o.groups, 1);
  expectWhole("collect", "groupSize", o.groupSize, 1);
  const first = o.firstGroup ?? 0;
  expectWhole("collect", "firstGroup", first, 0);
  const temperature = o.temperature ?? 1;
  if (!(temperature > 0)) {
    throw new RangeError(`Cannot collect as temperature must be > 0: current value is ${temperature}`);
  }
  const plan: Place[] = [];
  for (let group = first; group < first + o.groups; group++) {
    const seed = o.rng.split("env", group).below(4294967296);
    for (let member = 0; member < o.groupSize; member++) plan.push({ group, member, seed });
  }
  const sideBySide = env.fork?.() !== undefined;
  const trajectories: Trajectory[] = [];
  if (sideBySide) {
    for (const place of plan) trajectories.push(begin(env.fork!()!, o, place));
    run(trajectories, policy, temperature);
  } else {
    for (const place of plan) {
      const one = begin(env, o, place);
      run([one], policy, temperature);
      trajectories.push(one);
    }
  }
  return toBatch(env, trajectories);
}

function begin(env: Env, o: CollectOptions, { group, member, seed }: Place): Trajectory {
  const [observation, info] = env.reset({ seed, member });
  const draws = o.rng.split("policy", group, member);
  const { taskId } = info;
  return {
    env,
    rng: o.greedy ? greedy(draws) : draws,
    groupId: typeof taskId === "string" ? `${group}:${taskId}` : String(group),
    trajectoryId: `${group}.${member}`,
    observations: [observation],
    actions: [],
    logProb: [],
    contexts: [],
    rewards: [],
    infos: [],
    ended: false,
    truncated: false,
  };
}

/** Takes a turn in each trajectory that is still running, until all have ended. */
function run(trajectories: readonly Trajectory[], policy: Policy, temperature: number): void {
  let live = trajectories;
  while (live.length > 0) {
    const rngs = live.map((trajectory) => trajectory.rng);
    const samples = policy.sample(live, rngs, { temperature });
    for (let i = 0; i < live.length; i++) take(live[i]!, samples[i]!);
    live = live.filter((trajectory) => !trajectory.ended);
  }
}

function take(trajectory: Trajectory, sample: ReturnType<Policy["sample"]>[number]): void {
  const [observation, reward, terminated, truncated, info] = trajectory.env.step(sample.tokens);
  trajectory.actions.push(sample.tokens);
  trajectory.logProb.push(sample.logProb);
  trajectory.contexts.push(sample.context);
  trajectory.rewards.push(reward);
  trajectory.infos.push(info);
  trajectory.observations.push(observation);
  const outOfTurns = trajectory.actions.length >= trajectory.env.spec.maxTurns;
  trajectory.ended = terminated || truncated || outOfTurns;
  trajectory.truncated = !terminated && trajectory.ended;
}

function toBatch(env: Env, trajectories: readonly Trajectory[]): Batch {
  const N = trajectories.length;
  const { maxTurns: T, maxTokens: L } = env.spec;
  const token_ntl = new Int32Array(N * T * L);
  const mask_ntl = new Uint8Array(N * T * L);
  const oldLogProb_ntl = new Float64Array(N * T * L);
  const reward_nt = new Float64Array(N * T);
  const return_n = new Float64Array(N);
  const turnCount_n = new Int32Array(N);
  for (let n = 0; n < N; n++) {
    const { actions, logProb, rewards } = trajectories[n]!;
    turnCount_n[n] = actions.length;
    for (let t = 0; t < actions.length; t++) {
      const tokens = actions[t]!;
      const cell = (n * T + t) * L;
      for (let l = 0; l < tokens.length; l++) {
        token_ntl[cell + l] = tokens[l]!;
        oldLogProb_ntl[cell + l] = logProb[t]![l]!;
        mask_ntl[cell + l] = 1;
      }
      reward_nt[n * T + t] = rewards[t]!;
      return_n[n]! += rewards[t]!;
    }
  }
  return {
    shape: [N, T, L],
    token_ntl,
    mask_ntl,
    oldLogProb_ntl,
    reward_nt,
    return_n,
    turnCount_n,
    trajectoryId: trajectories.map((x) => x.trajectoryId),
    groupId: trajectories.map((x) => x.groupId),
    observation_nt: trajectories.map((x) =>
      x.observations.slice(0, x.actions.length).map(({ text }) => text),
    ),
    context_nt: trajectories.map((x) => x.contexts),
    truncated: trajectories.map((x) => x.truncated),
    info_nt: trajectories.map((x) => x.infos),
    ...turnMarkers(env.spec, trajectories),
  };
}
