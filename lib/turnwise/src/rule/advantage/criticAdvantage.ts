import type { Batch } from "../../batch/batch";
import { expectFinite } from "../../base/expect";
import {
  activeTokens,
  valuesPerToken,
  valuesPerTurn,
  type Credit,
  type CriticValues,
  type ShapedReward,
} from "./credit";
import { expectDiscounts, gae, gaeBackwards } from "./gaeSweep";

/** The knobs of `gae` that the recursion needs. */
interface Gae {
  readonly gamma: number;
  readonly lambda: number;
}

interface BiLevel extends Gae {
  readonly gammaTurn: number;
  readonly lambdaTurn: number;
}

/** One row through `gae`, ended by its last step: a turn limit is part of the task, so nothing is bootstrapped. */
function oneRow(
  reward_t: number[],
  value_t: number[],
  gamma: number,
  lambda: number,
): { advantage_t: number[]; return_t: number[] } {
  const done_t = reward_t.map((_, t) => (t === reward_t.length - 1 ? 1 : 0));
  const { advantage_nt, return_nt } = gae({
    reward_nt: [reward_t],
    value_nt: [[...value_t, 0]],
    done_nt: [done_t],
    gamma,
    lambda,
  });
  return { advantage_t: advantage_nt[0]!, return_t: return_nt[0]! };
}

/**
 * GAE with a turn as one step: delta_t = r_t + gamma V(h_{t+1}) - V(h_t).
 *
 * @see StepPO, arXiv 2604.18401; Turn-PPO in arXiv 2511.20718 aggregates token values in a way that is not known,
 *   this reads it as GAE at turn boundaries
 */
export function turnGae(batch: Batch, reward: ShapedReward, choice: Gae, values: CriticValues): Credit {
  const [N, T] = batch.shape;
  const value_nt = valuesPerTurn(batch, values, "value_nt");
  const advantage = new Float64Array(N * T);
  for (let n = 0; n < N; n++) {
    const turns = Array.from({ length: batch.turnCount_n[n]! }, (_, t) => n * T + t);
    const row = oneRow(
      turns.map((nt) => reward.reward_nt[nt]!),
      turns.map((nt) => value_nt[nt]!),
      choice.gamma,
      choice.lambda,
    );
    advantage.set(row.advantage_t, n * T);
  }
  return { level: "turn", advantage };
}

/**
 * GAE with a token as one step: a turn's reward falls on its last sampled token, tool tokens are skipped.
 *
 * @see PPO with GAE as in verl, `trainer/ppo/core_algos.py`. Where the critic values turns only, a token has the
 *   value of its turn (our choice)
 */
export function tokenGae(batch: Batch, reward: ShapedReward, choice: Gae, values: CriticValues): Credit {
  const [N, T, L] = batch.shape;
  const valueOf = valuesPerToken(batch, values);
  const advantage = new Float64Array(N * T * L);
  const row = new TokenRow(T * L);
  expectDiscounts(choice.gamma, choice.lambda);
  for (let n = 0; n < N; n++) {
    row.read(batch, reward, n, valueOf);
    row.sweep(choice.gamma, choice.lambda);
    for (let k = 0; k < row.steps; k++) advantage[row.cells[k]!] = row.advantage_t[k]!;
  }
  return { level: "token", advantage };
}

/** The sampled tokens of one trajectory as steps, written again for each: there are too many trajectories for a list of each. */
class TokenRow {
  steps = 0;
  readonly cells: Int32Array;
  readonly advantage_t: Float64Array;
  readonly #reward_t: Float64Array;
  readonly #value_t: Float64Array;
  readonly #done_t: Uint8Array;

  constructor(most: number) {
    this.cells = new Int32Array(most);
    this.advantage_t = new Float64Array(most);
    this.#reward_t = new Float64Array(most);
    this.#value_t = new Float64Array(most + 1);
    this.#done_t = new Uint8Array(most);
  }

  /** A turn's reward falls on its last token, but what a token itself is charged on that token. */
  read(
    batch: Batch,
    { reward_nt, charge_ntl }: ShapedReward,
    n: number,
    valueOf: (i: number) => number,
  ): void {
    const [, T, L] = batch.shape;
    const { mask_ntl } = batch;
    let steps = 0;
    let open = 0;
    let charged = 0;
    for (let t = 0; t < batch.turnCount_n[n]!; t++) {
      const first = (n * T + t) * L;
      const before = steps;
      let charges = 0;
      for (let i = first; i < first + L; i++) {
        if (mask_ntl[i] !== 1) continue;
        const charge = charge_ntl === undefined ? 0 : charge_ntl[i]!;
        this.cells[steps] = i;
        this.#reward_t[steps] = charge;
        this.#value_t[steps] = valueOf(i);
        this.#done_t[steps] = 0;
        charges += charge;
        steps++;
      }
      if (steps === before) {
        // The reward of a turn without tokens falls on the turn before it, if there is one.
        if (before > 0) open += reward_nt[n * T + t]!;
        continue;
      }
      if (before > 0) this.#reward_t[before - 1]! += open - charged;
      open = reward_nt[n * T + t]!;
      charged = charges;
    }
    this.steps = steps;
    this.#value_t[steps] = 0;
    if (steps === 0) return;
    this.#reward_t[steps - 1]! += open - charged;
    this.#done_t[steps - 1] = 1;
  }

  /** @throws {RangeError} unless rewards and values are finite */
  sweep(gamma: number, lambda: number): void {
    expectFinite("GAE", "the rewards of a trajectory", this.#reward_t, this.steps);
    expectFinite("GAE", "the values of a trajectory", this.#value_t, this.steps);
    gaeBackwards(this.steps, this.#reward_t, this.#value_t, this.#done_t, gamma, lambda, this.advantage_t);
  }
}

interface TakenTurn {
  readonly cells: readonly number[];
  reward: number;
}

/** The turns with sampled tokens; the reward of a turn without falls on the one before it. */
function takenTurns(batch: Batch, { reward_nt }: ShapedReward, n: number): TakenTurn[] {
  const T = batch.shape[1];
  const turns: TakenTurn[] = [];
  for (let t = 0; t < batch.turnCount_n[n]!; t++) {
    const cells = activeTokens(batch, n, t);
    if (cells.length > 0) turns.push({ cells, reward: reward_nt[n * T + t]! });
    else if (turns.length > 0) turns.at(-1)!.reward += reward_nt[n * T + t]!;
  }
  return turns;
}

/**
 * Bi-level GAE: first over the turns' last tokens, then inside each turn with the turn's return as its reward.
 *
 * ```
 * turns:  delta_k = r_k + gammaTurn V(end_{k+1}) - V(end_k),  A_k = delta_k + gammaTurn lambdaTurn A_{k+1}
 * tokens: the last token of turn k is paid A_k + V(end_k); GAE(gamma, lambda) ends there
 * ```
 *
 * @see RAGEN, `ragen/trainer/core_algos.py: compute_bi_level_gae_advantage_return`. That code finds turn ends by
 *   rewards other than 0 and so misses turns of reward 0; here the turn index says where a turn ends. It also uses one
 *   lambda for both levels
 */
export function biLevelAdvantage(
  batch: Batch,
  reward: ShapedReward,
  choice: BiLevel,
  values: CriticValues,
): Credit {
  const [N, T, L] = batch.shape;
  const valueOf = valuesPerToken(batch, values);
  const advantage = new Float64Array(N * T * L);
  for (let n = 0; n < N; n++) {
    const turns = takenTurns(batch, reward, n);
    const high = oneRow(
      turns.map((turn) => turn.reward),
      turns.map(({ cells }) => valueOf(cells.at(-1)!)),
      choice.gammaTurn,
      choice.lambdaTurn,
    );
    turns.forEach(({ cells }, k) => {
      const rewards = cells.map((_, l) => (l === cells.length - 1 ? high.return_t[k]! : 0));
      const low = oneRow(rewards, cells.map(valueOf), choice.gamma, choice.lambda);
      cells.forEach((i, l) => (advantage[i] = low.advantage_t[l]!));
    });
  }
  return { level: "token", advantage };
}
