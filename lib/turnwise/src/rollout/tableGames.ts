import type { Rng } from "../base/rng";
import type { Batch } from "../batch/batch";
import type { Env, Info, Observation } from "../env/env";
import { plainGame } from "../env/wrapper";
import type { History, Policy } from "../policy/policy";
import { TabularPolicy } from "../policy/tabular";
import type { Place } from "./trajectory";
import { turnMarkers } from "./turnMarkers";

/** A trajectory in play. */
interface Member {
  readonly rng: Rng;
  /** Source from which the draws of the world are split. */
  readonly episode: Rng;
  draws: Rng | undefined;
  state: unknown;
  /** Observation before its next turn. */
  observation: Observation;
  /** Memory of the policy of the turns so far, and of the present turn. */
  before: number;
  context: number;
  /** Tokens of the turn that is being taken. */
  size: number;
}

const NOTHING: Info = Object.freeze({});

/** Ids of small groups and members: a batch has the same ones as the batch before. */
const ids: string[][] = [];

function idOf(group: number, member: number): string {
  if (group >= 1024 || member >= 1024) return `${group}.${member}`;
  return ((ids[group] ??= [])[member] ??= `${group}.${member}`);
}

/**
 * A rollout of a table in a game, straight into the arrays of a batch: the same draws in the same order as of any policy in any
 * environment, without an environment and lists for each trajectory.
 *
 * Undefined where the world is more than a game, where several agents play it, or where the policy is another one.
 */
export function playTable(
  env: Env,
  policy: Policy,
  plan: readonly Place[],
  temperature: number,
  draws: (place: Place) => Rng,
): Batch | undefined {
  const { maxTurns: T, maxTokens: L, agents, roles } = env.spec;
  const game = agents || roles ? undefined : plainGame(env);
  const turns = game && policy instanceof TabularPolicy ? policy.turns(env.spec, temperature) : undefined;
  if (!game || !turns) return undefined;
  const { begin, turn } = game.episodes();
  const N = plan.length;
  const { row_ntl, ...cells } = roomFor(N, T, L);
  const { token_ntl, mask_ntl, oldLogProb_ntl, reward_nt, return_n, turnCount_n } = cells;
  const drawn = { token_ntl, logProb_ntl: oldLogProb_ntl, row_ntl };
  // What was seen before each turn, the policy's context of it and what the world told after it, [N, T].
  const seen: Observation[] = new Array<Observation>(N * T);
  const texts: string[] = new Array<string>(N * T);
  const contexts: string[] = new Array<string>(N * T);
  const infos: Info[] = new Array<Info>(N * T);
  const truncated: boolean[] = [];
  const members: Member[] = [];
  const groupId: string[] = [];
  const trajectoryId: string[] = [];
  let start = begin(plan[0]!.seed);
  for (let n = 0; n < N; n++) {
    const place = plan[n]!;
    const { group, seed, member } = place;
    const same = n > 0 && plan[n - 1]!.seed === seed && plan[n - 1]!.group === group;
    if (!same) start = begin(seed);
    const { episode, outcome } = start;
    members.push({
      rng: draws(place),
      episode,
      draws: undefined,
      state: outcome.state,
      observation: outcome.observation,
      before: 0,
      context: 0,
      size: 0,
    });
    groupId.push(same ? groupId[n - 1]! : `${group}:${start.taskId}`);
    trajectoryId.push(idOf(group, member));
    truncated.push(false);
  }
  const historyOf = (n: number, t: number): History => ({
    observations: seen.slice(n * T, n * T + t + 1),
    actions: Array.from({ length: t }, (_, k) => {
      const first = (n * T + k) * L;
      return Array.from(token_ntl.subarray(first, first + L)).filter((_, l) => mask_ntl[first + l] === 1);
    }),
  });
  let live = members.map((_, n) => n);
  for (let t = 0; t < T && live.length > 0; t++) {
    // All draw before any of them moves on, as policies that look at many histories at once do.
    for (const n of live) {
      const one = members[n]!;
      const nt = n * T + t;
      seen[nt] = one.observation;
      texts[nt] = one.observation.text;
      one.context = turns.seen(one.before, t, one.observation.tokens);
      contexts[nt] = turns.textOf(one.context, historyOf, n, t);
      one.size = turns.draw(one.context, one.rng, drawn, nt * L);
      for (let cell = nt * L; cell < nt * L + one.size; cell++) mask_ntl[cell] = 1;
    }
    const next: number[] = [];
    for (const n of live) {
      const one = members[n]!;
      const nt = n * T + t;
      const { outcomes, logProb } = turn(one.state, token_ntl, nt * L, one.size);
      const stream = logProb && (one.draws ??= one.episode.split("member", plan[n]!.member));
      const outcome = outcomes[stream ? stream.categorical(logProb) : 0]!;
      one.state = outcome.state;
      one.observation = outcome.observation;
      reward_nt[nt] = outcome.reward;
      return_n[n]! += outcome.reward;
      turnCount_n[n] = t + 1;
      infos[nt] = outcome.info ?? NOTHING;
      if (outcome.terminated) continue;
      if (t + 1 === T) {
        truncated[n] = true;
        continue;
      }
      one.before = turns.acted(one.context, token_ntl, nt * L, one.size);
      next.push(n);
    }
    live = next;
  }
  const observation_nt: string[][] = [];
  const context_nt: string[][] = [];
  const info_nt: Info[][] = [];
  for (let n = 0; n < N; n++) {
    const [from, to] = [n * T, n * T + turnCount_n[n]!];
    observation_nt.push(texts.slice(from, to));
    context_nt.push(contexts.slice(from, to));
    info_nt.push(infos.slice(from, to));
  }
  const batch: Batch = {
    shape: [N, T, L],
    ...cells,
    trajectoryId,
    groupId,
    observation_nt,
    context_nt,
    truncated,
    info_nt,
    script: turnMarkers(env.spec, []).script!,
  };
  turns.drawn(batch, row_ntl);
  return batch;
}

/** The arrays of a batch in one buffer: for a small one, making buffers would take longer than playing. */
function roomFor(N: number, T: number, L: number) {
  const [nt, ntl] = [N * T, N * T * L];
  const buffer = new ArrayBuffer(8 * (ntl + nt + N) + 4 * (2 * ntl + N) + ntl);
  const integers = 8 * (ntl + nt + N);
  return {
    oldLogProb_ntl: new Float64Array(buffer, 0, ntl),
    reward_nt: new Float64Array(buffer, 8 * ntl, nt),
    return_n: new Float64Array(buffer, 8 * (ntl + nt), N),
    token_ntl: new Int32Array(buffer, integers, ntl),
    row_ntl: new Int32Array(buffer, integers + 4 * ntl, ntl),
    turnCount_n: new Int32Array(buffer, integers + 8 * ntl, N),
    mask_ntl: new Uint8Array(buffer, integers + 8 * ntl + 4 * N, ntl),
  };
}
