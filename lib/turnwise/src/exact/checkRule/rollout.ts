import type { Batch } from "../../batch/batch";
import { probabilityOfLines, type Line, type Task, type TokenGame, type TokenPolicy } from "./tokenGame";

/** A batch, and what a trainer would bring besides: the exact values of the policy as its critic, and its own reference. */
export interface Rollout {
  readonly game: TokenGame;
  readonly batch: Batch;
  readonly value_nt: Float64Array;
  readonly refLogProb_ntl: Float64Array;
  readonly entropy_ntl: Float64Array;
  /** The policy's log-probs of every action of a cell's state; states with fewer actions than others end in -Infinity. */
  readonly logProb_ntlv: Float64Array;
  /** The parameter of each sampled cell: where its state's logits begin, plus its action; -1 where masked. */
  readonly parameter_ntl: Int32Array;
  readonly state_ntl: Int32Array;
}

/** Trajectories of one task. */
export interface Group {
  readonly task: Task;
  readonly lines: readonly Line[];
}

/** A batch of groups that the policy has just sampled. Masked cells hold 0. */
export function rolloutOf(game: TokenGame, policy: TokenPolicy, groups: readonly Group[]): Rollout {
  const { turns: T, tokens: L } = game;
  const rows = groups.flatMap(({ task, lines }, g) => lines.map((line, i) => ({ task, line, g, i })));
  const N = rows.length;
  const size = N * T * L;
  const token_ntl = new Int32Array(size);
  const mask_ntl = new Uint8Array(size);
  const oldLogProb_ntl = new Float64Array(size);
  const entropy_ntl = new Float64Array(size);
  const actionCount = Math.max(...game.states.map(({ actions }) => actions.length));
  const logProb_ntlv = new Float64Array(size * actionCount).fill(-Infinity);
  const parameter_ntl = new Int32Array(size).fill(-1);
  const state_ntl = new Int32Array(size).fill(-1);
  const reward_nt = new Float64Array(N * T);
  const return_n = new Float64Array(N);
  const value_nt = new Float64Array(N * T);
  rows.forEach(({ task, line }, n) => {
    const values = valuesBefore(game, policy, task);
    line.turns.forEach(({ cells, reward }, t) => {
      reward_nt[n * T + t] = reward;
      return_n[n]! += reward;
      value_nt[n * T + t] = values.get(historyOf(line, t))!;
      cells.forEach((cell, l) => {
        const i = (n * T + t) * L + l;
        if (!("state" in cell)) {
          token_ntl[i] = cell.forced;
          return;
        }
        const { from, actions } = game.states[cell.state]!;
        token_ntl[i] = game.vocabulary.indexOf(actions[cell.action]!);
        mask_ntl[i] = 1;
        parameter_ntl[i] = from + cell.action;
        state_ntl[i] = cell.state;
        oldLogProb_ntl[i] = policy.logProb[from + cell.action]!;
        logProb_ntlv.set(policy.logProb.subarray(from, from + actions.length), i * actionCount);
        entropy_ntl[i] = policy.entropy[cell.state]!;
      });
    });
  });
  return {
    game,
    value_nt,
    refLogProb_ntl: oldLogProb_ntl.slice(),
    entropy_ntl,
    logProb_ntlv,
    parameter_ntl,
    state_ntl,
    batch: {
      shape: [N, T, L],
      token_ntl,
      mask_ntl,
      oldLogProb_ntl,
      reward_nt,
      return_n,
      turnCount_n: Int32Array.from(rows, ({ line }) => line.turns.length),
      trajectoryId: rows.map(({ g, i }) => `${g}.${i}`),
      groupId: rows.map(({ task, g }) => `${g}:${task.id}`),
      observation_nt: rows.map(({ line }) => line.turns.map(({ observation }) => observation)),
      context_nt: rows.map(({ line }) => line.turns.map((_, t) => historyOf(line, t))),
      truncated: rows.map(() => false),
      info_nt: rows.map(({ line }) => line.turns.map(() => ({}))),
    },
  };
}

/** All that the policy has seen before turn t. */
function historyOf(line: Line, t: number): string {
  return JSON.stringify([
    line.turns.slice(0, t).map(({ observation, cells }) => [observation, cells]),
    line.turns[t]!.observation,
  ]);
}

const known = new WeakMap<TokenPolicy, WeakMap<Task, ReadonlyMap<string, number>>>();

/** V before each turn: the expected sum of the rewards from there on, given all that was seen. */
function valuesBefore(game: TokenGame, policy: TokenPolicy, task: Task): ReadonlyMap<string, number> {
  let ofPolicy = known.get(policy);
  if (ofPolicy === undefined) known.set(policy, (ofPolicy = new WeakMap()));
  let values = ofPolicy.get(task);
  if (values !== undefined) return values;
  const probability = probabilityOfLines(game, task, policy);
  const sums = new Map<string, { weight: number; toGo: number }>();
  task.lines.forEach((line, k) => {
    let toGo = 0;
    for (let t = line.turns.length - 1; t >= 0; t--) {
      toGo += line.turns[t]!.reward;
      const key = historyOf(line, t);
      const sum = sums.get(key) ?? { weight: 0, toGo: 0 };
      sums.set(key, {
        weight: sum.weight + probability[k]!,
        toGo: sum.toGo + probability[k]! * toGo,
      });
    }
  });
  values = new Map([...sums].map(([key, { weight, toGo }]) => [key, toGo / weight]));
  ofPolicy.set(task, values);
  return values;
}
