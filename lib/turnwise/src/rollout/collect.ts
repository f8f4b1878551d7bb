import { expectWhole } from "../base/expect";
import type { Env } from "../env/env";
import type { Policy } from "../policy/policy";
import type { Rng } from "../base/rng";
import type { Batch } from "../batch/batch";
import { growTrees, type ForkPlan } from "./forks";
import { playTable } from "./tableGames";
import { begin, drawsOf, run, type Place, type Trajectory } from "./trajectory";
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
  /** Draws from the fewest likeliest tokens that have this probability together; the stored log-probs are those. Default 1: from all. */
  readonly topP?: number;
  /** Take the likeliest token instead of drawing one. Default false. */
  readonly greedy?: boolean;
  /** Which trajectories leave others in the middle of an episode and share what came before. Default: none does. */
  readonly forks?: ForkPlan;
}

/**
 * Samples groups x groupSize trajectories; the members of a group share their start state.
 *
 * The draws of a trajectory depend only on `rng`, its group and its member: neither on how the batch was split, nor on
 * which other trajectories ran beside it. An episode that is still running after `spec.maxTurns` turns is truncated.
 *
 * With `forks`, `fork_n` says which trajectory another one left and at which turn, and `stepsTaken` counts what they share
 * once. A fork's draws depend on the generator, its group, and its member too.
 *
 * @throws {RangeError} if a count is not a whole number >= 1, the temperature is not above 0, or topP not in (0, 1]
 * @throws {TypeError} if there are to be forks in a world that cannot be branched
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
    throw new RangeError(`Cannot collect: temperature must be > 0, got ${temperature}.`);
  }
  const topP = o.topP ?? 1;
  if (!(topP > 0 && topP <= 1)) {
    throw new RangeError(`Cannot collect: topP must be above 0 and at most 1, got ${topP}.`);
  }
  const plan: Place[] = [];
  for (let group = first; group < first + o.groups; group++) {
    const seed = o.rng.split("env", group).below(4294967296);
    for (let member = 0; member < o.groupSize; member++) plan.push({ group, member, seed });
  }
  if (o.forks && o.forks.kind !== "none") return toBatch(env, growTrees(env, policy, o, o.forks, plan), true);
  const table =
    o.greedy || topP < 1
      ? undefined
      : playTable(env, policy, plan, temperature, ({ group, member }) => drawsOf(o, group, member));
  if (table) return table;
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
  return toBatch(env, trajectories, false);
}

/** Pads trajectories to one block; `forked` says whether some of them left others. */
export function toBatch(env: Env, trajectories: readonly Trajectory[], forked: boolean): Batch {
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
    ...(forked && { fork_n: trajectories.map((x) => x.fork) }),
    ...turnMarkers(env.spec, trajectories),
  };
}
