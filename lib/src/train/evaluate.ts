import { square } from "../base/elementary/square";
import type { Env } from "../env/env";
import type { Metrics } from "../base/glossary";
import type { Policy } from "../policy/policy";
import { collect } from "../rollout/collect";
import type { Rng } from "../base/rng";
import { rolloutMetrics } from "./records";

export interface EvaluateOptions {
  readonly episodes: number;
  /** Take the likeliest token instead of drawing one. */
  readonly greedy: boolean;
  readonly rng: Rng;
}

/**
 * Plays a policy on episodes that training never sees, and leaves policy and environment as they were.
 *
 * The draws depend on `rng` alone, so two policies meet the same start states and the same luck.
 *
 * ```
 * eval/standardError = sqrt(sum (R_i - mean)^2 / (episodes - 1) / episodes)
 * ```
 */
export function evaluatePolicy(
  env: Env,
  policy: Policy,
  { episodes, greedy, rng }: EvaluateOptions,
): Metrics {
  const before = env.state?.();
  const batch = collect(env, policy.clone(), { groups: episodes, groupSize: 1, rng, greedy });
  if (before !== undefined) env.restore?.(before);
  const seen = rolloutMetrics(batch);
  const mean = seen["reward/mean"]!;
  const squares = batch.return_n.reduce((sum, x) => sum + square(x - mean), 0);
  const success = seen["success/mean"];
  const trueScore = seen["reward/trueScore"];
  return {
    "eval/return": mean,
    "eval/standardError": Math.sqrt(squares / Math.max(1, episodes - 1) / episodes),
    "eval/turns": seen["turns/mean"]!,
    ...(success !== undefined && { "eval/success": success }),
    ...(trueScore !== undefined && { "eval/trueScore": trueScore }),
  };
}
