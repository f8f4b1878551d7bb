import { type Recipe, createRng } from "turnwise";
import { carryAfterTurn, turnSchedule, type Carry } from "turnwise/internal/rule/index";

/** A small game whose trajectories can all be listed: turns of one token, a finite choice of actions. */
export interface Game {
  readonly actions: number;
  /** Hidden start states with their probabilities; a game without chance has one. */
  readonly start: readonly { readonly probability: number; readonly state: number }[];
  /** The return if the episode has ended after these actions, else undefined. */
  readonly outcome: (state: number, actions: readonly number[]) => number | undefined;
  /** What the policy sees before its next turn; equal keys share one row of the policy. */
  readonly context: (state: number, actions: readonly number[]) => string;
}

export type Rows = Map<string, readonly number[]>;

export interface Path {
  readonly state: number;
  readonly actions: readonly number[];
  readonly contexts: readonly string[];
  readonly chance: number;
  readonly reward: number;
}

function paths(game: Game): Path[] {
  const found: Path[] = [];
  const grow = (state: number, chance: number, actions: number[], contexts: string[]): void => {
    const reward = game.outcome(state, actions);
    if (reward !== undefined) {
      found.push({ state, actions, contexts, chance, reward });
      return;
    }
    const context = game.context(state, actions);
    for (let a = 0; a < game.actions; a++) grow(state, chance, [...actions, a], [...contexts, context]);
  };
  for (const { probability, state } of game.start) grow(state, probability, [], []);
  return found;
}

export function uniform(game: Game): Rows {
  const row = new Array<number>(game.actions).fill(1 / game.actions);
  return new Map(paths(game).flatMap(({ contexts }) => contexts.map((context) => [context, row] as const)));
}

const probabilityOf = (path: Path, rows: Rows): number =>
  path.actions.reduce((p, a, t) => p * rows.get(path.contexts[t]!)![a]!, path.chance);

/** J, exactly. */
export function value(game: Game, rows: Rows): number {
  return paths(game).reduce((sum, path) => sum + probabilityOf(path, rows) * path.reward, 0);
}

export interface EveryTrajectory {
  readonly all: readonly Path[];
  readonly shape: readonly [n: number, t: number, l: number];
  readonly trajectoryId: readonly string[];
  readonly mask_ntl: Uint8Array;
  /** Exact probability under the old policy. */
  readonly probability_n: Float64Array;
  readonly logProb: (rows: Rows) => Float64Array;
}

/** Every trajectory that `old` may sample as a row of a batch, with its exact probability. */
export function everyTrajectory(game: Game, old: Rows): EveryTrajectory {
  const all = paths(game).filter((path) => probabilityOf(path, old) > 0);
  const N = all.length;
  const T = Math.max(...all.map(({ actions }) => actions.length));
  const mask_ntl = new Uint8Array(N * T);
  all.forEach(({ actions }, n) => actions.forEach((_, t) => (mask_ntl[n * T + t] = 1)));
  const logProb = (rows: Rows): Float64Array => {
    const result = new Float64Array(N * T);
    all.forEach(({ actions, contexts }, n) =>
      actions.forEach((a, t) => (result[n * T + t] = Math.log(rows.get(contexts[t]!)![a]!))),
    );
    return result;
  };
  return {
    all,
    shape: [N, T, 1],
    trajectoryId: all.map(({ state, actions }) => `${String(state)}:${actions.join("")}`),
    mask_ntl,
    probability_n: Float64Array.from(all, (path) => probabilityOf(path, old)),
    logProb,
  };
}

/**
 * One iteration of greedy turn-wise updates under exact expectations: every context of the turn takes the action with the
 * largest mean of M given (context, action); contexts without probability or without a preference stay as they are.
 */
export function greedySweep(game: Game, rows: Rows, row: Recipe, seed = 0): { rows: Rows; J: number[] } {
  const batch = everyTrajectory(game, rows);
  const [, T] = batch.shape;
  const old = new Map(rows);
  const now = new Map(rows);
  const oldLogProb_ntl = batch.logProb(old);
  const baseline = value(game, old);
  let carry: Carry = new Map<string, number>();
  const J: number[] = [];
  for (const turns of turnSchedule(row, T, createRng(seed))) {
    for (const [context, chosen] of best(batch, old, turns, baseline, carry)) now.set(context, chosen);
    carry = carryAfterTurn(row, {
      ...batch,
      turns,
      logProb_ntl: batch.logProb(now),
      oldLogProb_ntl,
      carry,
    }).carry;
    J.push(value(game, now));
  }
  return { rows: now, J };
}

function best(
  batch: EveryTrajectory,
  old: Rows,
  turns: readonly number[],
  baseline: number,
  carry: Carry,
): Rows {
  const score = new Map<string, number[]>();
  const reached = new Map<string, number>();
  batch.all.forEach((path, n) => {
    const weight = batch.probability_n[n]! * (carry.get(batch.trajectoryId[n]!) ?? 1);
    for (const t of turns) {
      if (t >= path.actions.length) continue;
      const context = path.contexts[t]!;
      const a = path.actions[t]!;
      const scores = score.get(context) ?? old.get(context)!.map(() => 0);
      const p = old.get(context)![a]!;
      if (p > 0) scores[a]! += (weight * (path.reward - baseline)) / p;
      score.set(context, scores);
      reached.set(context, (reached.get(context) ?? 0) + Math.abs(weight));
    }
  });
  const chosen: Rows = new Map();
  for (const [context, scores] of score) {
    // On the support only: an action of probability 0 is never sampled, so nothing is known of it.
    const support = scores.map((s, a) => (old.get(context)![a]! > 0 ? s : -Infinity));
    const top = Math.max(...support);
    const known = support.filter((s) => s > -Infinity);
    if (reached.get(context)! < 1e-15 || top - Math.min(...known) < 1e-12) continue;
    const winner = support.indexOf(top);
    chosen.set(
      context,
      scores.map((_, a) => (a === winner ? 1 : 0)),
    );
  }
  return chosen;
}
