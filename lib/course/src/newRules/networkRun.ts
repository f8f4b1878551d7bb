import { exp } from "turnwise/internal/base/elementary/exp";
import { createRng } from "turnwise/internal/base/rng";
import { mean } from "turnwise/internal/base/statistics";
import type { Env } from "turnwise/internal/env/index";
import { enumerateReturn, optimalReturn, randomReturn, score } from "turnwise/internal/exact/index";
import { optimalPolicy } from "turnwise/internal/exact/optimalPolicy";
import type { Policy } from "turnwise/internal/policy/policy";
import { collect } from "turnwise/internal/rollout/index";
import type { JobContext } from "turnwise/internal/sweep/job";
import { readBy } from "turnwise/internal/train/distil/demonstrate";
import { train } from "turnwise/internal/train/index";
import { demonstrationBatch } from "turnwise/internal/train/imitate/demonstrations";
import { createOptimizer } from "turnwise/internal/train/optimizer";
import { following, knowsFormat, randomEpisode } from "./knowsFormat";
import {
  networkRule,
  networkWorld,
  networkWorlds,
  type NetworkArmName,
  type NetworkWorldName,
} from "./networkDesign";
import { scoredTraining } from "./scoredTraining";

/** A run of the study: a point of a sweep's grid, and a seed. */
export interface NetworkJob {
  readonly cell: {
    readonly world: NetworkWorldName;
    readonly arm: NetworkArmName;
    readonly rate: number;
    /** Default: those of the world. */
    readonly updates?: number;
  };
  readonly seed: number;
}

/** Result of a run, and its cost. */
export interface NetworkRun {
  readonly world: NetworkWorldName;
  readonly arm: NetworkArmName;
  readonly rate: number;
  readonly seed: number;
  /** Exact score from random (0) to optimal (1), mean of the looks after each fifth of the updates. */
  readonly learned: number;
  /** Exact score at the end. */
  readonly final: number;
  /** Mean probability of a random demonstration's turns after it has been read, at the end; 0 where nothing is demonstrated. */
  readonly kept: number;
  /** Update at which training stopped because a number was not finite, 0 if it did not. */
  readonly failedAt: number;
  /** Episodes that the rule learned from: the policy's own, or the demonstrations that are imitated. */
  readonly samples: number;
  readonly optimizerSteps: number;
}

const LOOKS = 5;
const GROUPS = 8;

/** Trains one arm at one learning rate from a policy that knows the format, and looks at its exact return five times. */
export async function networkRun(
  { cell: { world, arm, rate, updates = networkWorlds[world].updates }, seed }: NetworkJob,
  report: (fraction: number) => void = () => undefined,
): Promise<NetworkRun> {
  const env = networkWorld(world);
  const follows = !networkWorlds[world].shared;
  const policy = knowsFormat(env, seed, follows);
  const rule = networkRule(arm, rate);
  const learning = rule
    ? train({ env, policy, recipe: rule, updates, seed, groups: GROUPS, groupSize: 8 })
    : imitation(env, policy, { rate, updates, seed });
  const references = { random: randomReturn(env), optimal: optimalReturn(env).J };
  let [samples, optimizerSteps] = [0, 0];
  const scored = await scoredTraining<{ update: number; samples: number; optimizerSteps: number }>(learning, {
    updates,
    looks: LOOKS,
    score: () => score(enumerateReturn(env, policy, { gradient: false }).J, references),
    each: (record) => ({ samples, optimizerSteps } = record),
    report,
  });
  return {
    world,
    arm,
    rate,
    seed,
    ...scored,
    kept: follows ? keptOf(env, policy) : 0,
    samples,
    optimizerSteps,
  };
}

/** One step an update on -log pi of the demonstrations that OPSD would read: one from the start of each group. */
function* imitation(
  env: Env,
  policy: Policy,
  { rate, updates, seed }: { readonly rate: number; readonly updates: number; readonly seed: number },
): Generator<{ update: number; samples: number; optimizerSteps: number }> {
  const expert = readBy(optimalPolicy(env), policy);
  const optimizer = createOptimizer({ kind: "adam", learningRate: rate });
  for (let update = 1; update <= updates; update++) {
    const rng = createRng(seed).split("train").split("update", update).split("rollout");
    const batch = collect(env, expert, { groups: GROUPS, groupSize: 1, rng, greedy: true });
    const tokens = batch.mask_ntl.reduce((sum, mask) => sum + mask, 0);
    const dLogProb_ntl = Float64Array.from(batch.mask_ntl, (mask) => -mask / tokens);
    optimizer.step(policy.parameters, policy.backward(batch, { dLogProb_ntl }));
    yield { update, samples: update * GROUPS, optimizerSteps: update };
  }
}

const PAIRS = 200;

/** Mean probability of a demonstrated turn, over pairs of random episodes: the same pairs for every run. */
function keptOf(env: Env, policy: Policy): number {
  const rng = createRng(0).split("kept");
  const turns = Array.from({ length: PAIRS }, (_, k) =>
    following(
      randomEpisode(env, policy, rng.split("shown", k)),
      randomEpisode(env, policy, rng.split("own", k)),
    ),
  ).flat();
  const batch = demonstrationBatch(turns, env.spec.maxTokens);
  const { logProb_ntl } = policy.evaluate(batch);
  const L = env.spec.maxTokens;
  return mean(turns.map((_, n) => exp(logProb_ntl.subarray(n * L, (n + 1) * L).reduce((a, b) => a + b, 0))));
}

/**
 * `networkRun` as a job of a sweep.
 *
 * @public
 */
export function networkRuleJob(job: NetworkJob, { report }: JobContext): Promise<NetworkRun> {
  return networkRun(job, report);
}

/** The columns of `datasets/measured/network-rules.csv`. */
export const networkColumns = [
  "world",
  "arm",
  "rate",
  "seed",
  "learned",
  "final",
  "kept",
  "failedAt",
  "samples",
  "optimizerSteps",
] as const satisfies readonly (keyof NetworkRun)[];

/** The columns of `datasets/measured/network-rules-rates.csv`. */
export const networkRateColumns = ["world", "arm", "rate", "seeds", "learned", "final", "kept"] as const;
