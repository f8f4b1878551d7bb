import { square } from "../base/elementary/square";
import { asItWas } from "../env/asItWas";
import type { Env } from "../env/env";
import type { Metrics } from "../base/glossary";
import type { Policy } from "../policy/policy";
import { valueOfPolicy } from "../exact/enumerateReturn";
import { collect } from "../rollout/collect";
import type { Rng } from "../base/rng";
import { rolloutMetrics } from "./records";
import type { TrainSettings } from "./settings";

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
 *
 * @throws {RangeError} if the environment changes with training and cannot take its state back
 */
export function evaluatePolicy(
  env: Env,
  policy: Policy,
  { episodes, greedy, rng }: EvaluateOptions,
): Metrics {
  const restore = asItWas(
    "evaluate a policy",
    env,
    "evaluate on another environment of that kind, made for it",
  );
  let seen: Metrics;
  let returns: Float64Array;
  try {
    const batch = collect(env, policy.clone(), { groups: episodes, groupSize: 1, rng, greedy });
    seen = rolloutMetrics(batch);
    returns = batch.return_n;
  } finally {
    restore();
  }
  const mean = seen["reward/mean"]!;
  const squares = returns.reduce((sum, x) => sum + square(x - mean), 0);
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

/** Whether something that happens after every n updates, 0 for never, happens after this one. */
export const isDue = (index: number, every: number): boolean => every > 0 && index % every === 0;

/** The policy's exact return, after the updates that are to have it. */
export function exactReturn(
  env: Env,
  policy: Policy,
  { index, exactEvery }: { readonly index: number } & Pick<TrainSettings, "exactEvery">,
): Metrics {
  if (!isDue(index, exactEvery)) return {};
  return { "return/exact": valueOfPolicy(env, policy) };
}
