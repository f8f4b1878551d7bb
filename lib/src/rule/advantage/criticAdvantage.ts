import type { Batch } from "../../rollout/batch";
import type { AdvantageChoice } from "../recipe";
import {
  activeCells,
  valuesPerToken,
  valuesPerTurn,
  type Credit,
  type CriticValues,
  type ShapedReward,
} from "./credit";
import { gae } from "./gae";

type Gae = Extract<AdvantageChoice, { readonly kind: "gae" }>;
type BiLevel = Extract<AdvantageChoice, { readonly kind: "biLevelGae" }>;

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
 * @see StepPO, arXiv 2604.18401 [S]; Turn-PPO in arXiv 2511.20718 aggregates token values in a way that is not known [U],
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
 * @see PPO with GAE as in verl, `trainer/ppo/core_algos.py` [P]. Where the critic values turns only, a token has the
 *   value of its turn (our choice)
 */
export function tokenGae(batch: Batch, reward: ShapedReward, choice: Gae, values: CriticValues): Credit {
  const [N, T, L] = batch.shape;
  const valueOf = valuesPerToken(batch, values);
  const advantage = new Float64Array(N * T * L);
  for (let n = 0; n < N; n++) {
    const turns = takenTurns(batch, reward, n);
    const cells = turns.flatMap((turn) => turn.cells);
    const rewards = turns.flatMap((turn) => tokenRewards(turn, reward));
    const row = oneRow(rewards, cells.map(valueOf), choice.gamma, choice.lambda);
    cells.forEach((i, k) => (advantage[i] = row.advantage_t[k]!));
  }
  return { level: "token", advantage };
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
    const cells = activeCells(batch, n, t);
    if (cells.length > 0) turns.push({ cells, reward: reward_nt[n * T + t]! });
    else if (turns.length > 0) turns.at(-1)!.reward += reward_nt[n * T + t]!;
  }
  return turns;
}

/** A turn's reward on its last token, but what a token itself is charged on that token. */
function tokenRewards({ cells, reward }: TakenTurn, { charge_ntl }: ShapedReward): number[] {
  const charges = cells.map((i) => charge_ntl?.[i] ?? 0);
  const rest = reward - charges.reduce((a, b) => a + b, 0);
  return charges.map((charge, l) => (l === cells.length - 1 ? charge + rest : charge));
}

/**
 * Bi-level GAE: first over the turns' last tokens, then inside each turn with the turn's return as its reward.
 *
 * ```
 * turns:  delta_k = r_k + gammaTurn V(end_{k+1}) - V(end_k),  A_k = delta_k + gammaTurn lambdaTurn A_{k+1}
 * tokens: the last token of turn k is paid A_k + V(end_k); GAE(gamma, lambda) ends there
 * ```
 *
 * @see RAGEN, `ragen/trainer/core_algos.py: compute_bi_level_gae_advantage_return` [P]. That code finds turn ends by
 *   rewards other than 0 and so misses turns of reward 0; here the turn index says where a turn ends. It also uses one
 *   lambda for both levels
 */
export function biLevelGae(
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
