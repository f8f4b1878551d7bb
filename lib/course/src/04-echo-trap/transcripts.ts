import type { Env } from "turnwise/internal/env/index";
import type { Policy } from "turnwise/internal/policy/policy";
import { collect } from "turnwise/internal/rollout/index";
import { createRng } from "turnwise/internal/base/rng";

/** Response of an agent, and its return. */
export interface Transcript {
  /** The words of every turn, with " / " between turns. */
  readonly response: string;
  /** Share of the sampled trajectories. */
  readonly share: number;
  readonly meanReturn: number;
}

/**
 * Most frequent responses of a policy, over 64 groups of 4 episodes.
 *
 * Equal seeds draw equal tasks, so that two policies can be compared.
 */
export function frequentResponses(env: Env, policy: Policy, count = 5, seed = 0): readonly Transcript[] {
  const batch = collect(env, policy, {
    groups: 64,
    groupSize: 4,
    rng: createRng(seed).split("transcripts"),
  });
  const [N, T, L] = batch.shape;
  const found = new Map<string, { times: number; total: number }>();
  for (let n = 0; n < N; n++) {
    const turns = Array.from({ length: batch.turnCount_n[n]! }, (_, t) =>
      Array.from({ length: L }, (_cell, l) => (n * T + t) * L + l)
        .filter((i) => batch.mask_ntl[i] === 1)
        .map((i) => env.spec.vocabulary[batch.token_ntl[i]!])
        .join(" "),
    );
    const response = turns.join(" / ");
    const entry = found.get(response) ?? { times: 0, total: 0 };
    found.set(response, { times: entry.times + 1, total: entry.total + batch.return_n[n]! });
  }
  return [...found]
    .sort(([a, x], [b, y]) => y.times - x.times || (a < b ? -1 : 1))
    .slice(0, count)
    .map(([response, { times, total }]) => ({ response, share: times / N, meanReturn: total / times }));
}
