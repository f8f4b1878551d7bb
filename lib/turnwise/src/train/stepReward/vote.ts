import { exp } from "../../base/elementary/exp";
import { log } from "../../base/elementary/log";
import { square } from "../../base/elementary/square";
import { contextKey } from "../../policy/policy";
import type { Batch } from "../../batch/batch";
import type { StepInput, StepOutput, StepRewarder } from "./contract";
import { described, verdictsOf } from "./verdicts";

interface Settings {
  readonly votes: number;
  readonly error: number;
  readonly learningRate: number;
}

/** A judge that is never wrong has so many nats for the right vote, so that it can still be moved. */
const SURE = 20;

/**
 * RLAnything's judges as a table: for each context and turn, how likely a vote for the turn is.
 *
 * ```
 * P(vote = 1) = sigma(theta[context, turn]),   at first 1 - error where the turn is good, error where it is bad, 1/2 else
 * judge's reward of a vote = (R + mean vote) vote, over the votes of the turn: minus their mean, by their deviation (with n)
 * ```
 *
 * As all votes on a turn share the factor R + mean, it decides but a sign: the judge is taught to say again what agrees with it.
 *
 * @see RLAnything, arXiv 2602.02488; reward/alfworld_rl_reward.py:263 in Gen-Verse/Open-AgentRL at 1fe5dbd
 */
export class Votes implements StepRewarder {
  readonly #theta = new Map<string, number>();

  constructor(private readonly o: Settings) {}

  judge({ batch, rng }: StepInput): StepOutput {
    const { votes, error, learningRate } = this.o;
    const [N, T] = batch.shape;
    const step_nt = new Float64Array(N * T);
    const sure = error === 0 ? SURE : Math.min(SURE, log((1 - error) / error));
    let judged = 0;
    const change = new Map<string, number>();
    verdictsOf(batch).forEach((verdict, nt) => {
      if (verdict === undefined) return;
      judged++;
      // What a turn was worth may be decided by chance after it, so the truth is part of what a judge sees.
      const key = `${verdict}/${turnKey(batch, Math.floor(nt / T), nt % T)}`;
      const theta = this.#theta.get(key) ?? verdict * sure;
      const p = 1 / (1 + exp(0 - theta));
      const draws = rng.split("vote", nt);
      const cast = Array.from({ length: votes }, () => (draws.next() < p ? 1 : -1));
      const mean = cast.reduce((a, b) => a + b, 0) / votes;
      step_nt[nt] = mean;
      if (learningRate === 0) return;
      const push = judgePush(cast, batch.return_n[Math.floor(nt / T)]!, p);
      change.set(key, (change.get(key) ?? theta) + (learningRate * push) / N);
    });
    for (const [key, theta] of change) this.#theta.set(key, theta);
    return { step_nt, metrics: described(batch, step_nt, judged) };
  }

  state(): [string, number][] {
    return [...this.#theta];
  }

  restore(state: unknown): void {
    this.#theta.clear();
    for (const [key, theta] of state as ReturnType<this["state"]>) this.#theta.set(key, theta);
  }
}

/** Mean over the votes of their normalized reward times d log P(vote) / d theta; 0 where all have the same reward. */
export function judgePush(cast: readonly number[], outcome: number, p: number): number {
  const mean = cast.reduce((a, b) => a + b, 0) / cast.length;
  const rewards = cast.map((vote) => (outcome + mean) * vote);
  const center = rewards.reduce((a, b) => a + b, 0) / rewards.length;
  const deviation = Math.sqrt(rewards.reduce((sum, r) => sum + square(r - center), 0) / rewards.length);
  if (deviation === 0) return 0;
  return (
    rewards.reduce((sum, r, k) => sum + ((r - center) / deviation) * (cast[k] === 1 ? 1 - p : 0 - p), 0) /
    cast.length
  );
}

function turnKey(batch: Batch, n: number, t: number): string {
  const [, T, L] = batch.shape;
  const first = (n * T + t) * L;
  const tokens = batch.token_ntl.subarray(first, first + L).filter((_, l) => batch.mask_ntl[first + l] === 1);
  return `${contextKey(batch.context_nt[n]![t])}/${tokens.join()}`;
}
