import type { Env } from "turnwise/internal/env/index";
import { enumerateReturn, optimalReturn, randomReturn, score } from "turnwise/internal/exact/index";
import type { JobContext } from "turnwise/internal/sweep/job";
import { train } from "turnwise/internal/train/index";
import { boundaryOf } from "../teachers/boundaryRun";
import { ruleArm, ruleOfArm, ruleWorlds, worldOfArm, type RuleArmName, type RuleWorldName } from "./design";
import { scoredTraining } from "./scoredTraining";

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
  let [samples, optimizerSteps, steps] = [0, 0, 0];
  const scored = await scoredTraining(run, {
    updates,
    looks: LOOKS,
    score: () => scoreOf(env, world, run.policy),
    each: (record) => {
      steps += record.metrics["rollout/steps"]!;
      if (rule.reward.step.kind === "greedyBaseline")
        steps += record.metrics["stepReward/evaluations"]! * (record.samples - samples);
      ({ samples, optimizerSteps } = record);
    },
    report,
  });
  return {
    world,
    arm,
    rate,
    seed,
    ...scored,
    passAt8: scored.failedAt > 0 ? 0 : boundaryOf(env, run.policy).passAt8,
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
