import type { Env } from "turnwise/internal/env/index";
import { enumerateReturn, optimalReturn, randomReturn, score } from "turnwise/internal/exact/index";
import { mean } from "turnwise/internal/base/statistics";
import type { JobContext } from "turnwise/internal/sweep/job";
import { NonFiniteError, train } from "turnwise/internal/train/index";
import { boundaryOf } from "../teachers/boundaryRun";
import { ruleArm, ruleOfArm, ruleWorlds, worldOfArm, type RuleArmName, type RuleWorldName } from "./design";

/** A run of the study: a point of a sweep's grid, and a seed. */
export interface RuleJob {
  readonly cell: { readonly world: RuleWorldName; readonly arm: RuleArmName; readonly rate: number };
  readonly seed: number;
}

/** Result of a run, and its cost. */
export interface RuleRun {
  readonly world: RuleWorldName;
  readonly arm: RuleArmName;
  readonly rate: number;
  readonly seed: number;
  /** Exact score from random (0) to optimal (1), mean of the looks after each tenth of the updates. */
  readonly learned: number;
  /** Exact score at the end. */
  readonly final: number;
  /** Exact chance that one of eight tries succeeds, at the end, mean over starts. */
  readonly passAt8: number;
  /** Update at which training stopped because a number was not finite, 0 if it did not. */
  readonly failedAt: number;
  /** Trajectories that the rule learned from. */
  readonly samples: number;
  /** Steps of the environment, those of greedy episodes included; what a fork shares counts once. */
  readonly steps: number;
  readonly optimizerSteps: number;
  /** Uses of each token that the filter keeps. */
  readonly passes: number;
}

const LOOKS = 10;

/**
 * Trains one arm at one learning rate, and looks at the exact return of its policy ten times.
 *
 * A run that stops because a number is not finite has the score 0 from then on.
 */
export async function ruleRun(
  { cell: { world, arm, rate }, seed }: RuleJob,
  report: (fraction: number) => void = () => undefined,
): Promise<RuleRun> {
  const { updates } = ruleWorlds[world];
  const { policy, staleness = 0 } = ruleWorlds[world] as {
    policy?: Parameters<typeof train>[0]["policy"];
    staleness?: number;
  };
  const { groups, groupSize } = ruleArm(arm);
  const rule = ruleOfArm(arm, rate);
  const env = worldOfArm(world, arm);
  const run = train({
    env,
    recipe: rule,
    updates,
    seed,
    groups,
    groupSize,
    staleness,
    ...(policy && { policy }),
  });
  const scores: number[] = [];
  let [samples, optimizerSteps, steps, update] = [0, 0, 0, 0];
  let failed = false;
  try {
    for await (const record of run) {
      const { metrics } = record;
      update = record.update;
      steps += metrics["rollout/steps"]!;
      if (rule.reward.step.kind === "greedyBaseline")
        steps += metrics["stepReward/evaluations"]! * (record.samples - samples);
      ({ samples, optimizerSteps } = record);
      if (update % (updates / LOOKS) === 0) scores.push(scoreOf(env, world, run.policy));
      report(update / updates);
    }
  } catch (error) {
    if (!(error instanceof NonFiniteError)) throw error;
    failed = true;
  }
  while (scores.length < LOOKS) scores.push(0);
  return {
    world,
    arm,
    rate,
    seed,
    learned: mean(scores),
    final: scores.at(-1)!,
    passAt8: failed ? 0 : boundaryOf(env, run.policy).passAt8,
    failedAt: failed ? update + 1 : 0,
    samples,
    steps: Math.round(steps),
    optimizerSteps,
    passes: rule.update.epochs,
  };
}

const references = new Map<RuleWorldName, { readonly random: number; readonly optimal: number }>();

function scoreOf(env: Env, world: RuleWorldName, policy: Parameters<typeof enumerateReturn>[1]): number {
  const known = references.get(world) ?? { random: randomReturn(env), optimal: optimalReturn(env).J };
  references.set(world, known);
  return score(enumerateReturn(env, policy, { gradient: false }).J, known);
}

/**
 * `ruleRun` as a job of a sweep.
 *
 * @public
 */
export function newRuleJob(job: RuleJob, { report }: JobContext): Promise<RuleRun> {
  return ruleRun(job, report);
}

/** The columns of `datasets/measured/new-rules.csv`. */
export const ruleColumns = [
  "world",
  "arm",
  "rate",
  "seed",
  "learned",
  "final",
  "passAt8",
  "failedAt",
  "samples",
  "steps",
  "optimizerSteps",
  "passes",
] as const satisfies readonly (keyof RuleRun)[];

/** The columns of `datasets/measured/new-rules-rates.csv`. */
export const ruleRateColumns = ["world", "arm", "rate", "seeds", "learned", "final", "passAt8"] as const;
