import { mean } from "turnwise/internal/base/statistics";
import { custom, recipe, type Recipe } from "turnwise/internal/rule/index";
import type { JobContext } from "turnwise/internal/sweep/job";
import { train } from "turnwise/internal/train/index";
import { bestOfAdvantage } from "./bestOf";
import { sampledArms, sampledRates, sampledWorlds, type SampledArmName, type SampledWorld } from "./design";

/** A run of the study. */
export interface SampledJob {
  readonly cell: { readonly world: SampledWorld; readonly arm: SampledArmName; readonly rate: number };
  readonly seed: number;
}

/** Its outcome, and its cost. */
export interface SampledRun {
  readonly world: SampledWorld;
  readonly arm: SampledArmName;
  readonly rate: number;
  readonly seed: number;
  /** Mean success over the last ten updates. */
  readonly success: number;
  readonly samples: number;
  /** Environment steps. */
  readonly steps: number;
  readonly optimizerSteps: number;
}

/** The columns of `datasets/measured/systems-sampled.csv`. */
export const sampledColumns = [
  "world",
  "arm",
  "rate",
  "seed",
  "success",
  "samples",
  "steps",
  "optimizerSteps",
] as const satisfies readonly (keyof SampledRun)[];

const LAST = 10;

function ruleOf(arm: SampledArmName, learningRate: number): Recipe {
  const { rule, bestOf } = sampledArms[arm];
  const update = { epochs: 2, minibatches: 2, optimizer: { kind: "adam", learningRate } } as const;
  if (bestOf === undefined) return recipe(rule, { update });
  const advantage = custom.advantage(`best of ${bestOf}`, (batch) => bestOfAdvantage(batch, bestOf));
  return recipe(rule, { update, advantage, scale: "none" });
}

/** Trains one arm in one world. */
export async function sampledRun(
  { cell: { world, arm, rate }, seed }: SampledJob,
  report: (fraction: number) => void = () => undefined,
): Promise<SampledRun> {
  const { policy, groupSize, longer = 1 } = sampledArms[arm];
  const updates = sampledWorlds[world].updates * longer;
  const run = train({
    env: sampledWorlds[world].make(),
    recipe: ruleOf(arm, rate),
    updates,
    groupSize,
    seed,
    ...(policy && { policy }),
  });
  const successes: number[] = [];
  let [samples, optimizerSteps, steps] = [0, 0, 0];
  for await (const record of run) {
    ({ samples, optimizerSteps } = record);
    steps += record.metrics["rollout/steps"]!;
    successes.push(record.metrics["success/mean"]!);
    report(record.update / updates);
  }
  return { world, arm, rate, seed, success: mean(successes.slice(-LAST)), samples, steps, optimizerSteps };
}

/** The arms of the study in each world, of which those are tuned that take no other's rate. */
export const sampledPlan = (
  tuned: boolean,
): readonly { readonly world: SampledWorld; readonly arm: SampledArmName }[] =>
  (Object.keys(sampledArms) as SampledArmName[])
    .filter((arm) => !tuned || sampledArms[arm].rateOf === undefined)
    .flatMap((arm) => sampledArms[arm].worlds.map((world) => ({ world, arm })));

/** The rate of an arm in a world: that of the highest mean success on the seeds of the tuning; of equals, the smallest. */
export function sampledRate(
  tuning: readonly Pick<SampledRun, "world" | "arm" | "rate" | "success">[],
  world: SampledWorld,
  arm: SampledArmName,
): number {
  const { rateOf = arm, times = 1 } = sampledArms[arm];
  const meanAt = (rate: number): number =>
    mean(
      tuning
        .filter((run) => run.world === world && run.arm === rateOf && run.rate === rate)
        .map(({ success }) => success),
    );
  const best = sampledRates.reduce((a, b) => (meanAt(b) > meanAt(a) ? b : a));
  return best * times;
}

/**
 * `sampledRun` as a job of a sweep.
 *
 * @public
 */
export function sampledJob(job: SampledJob, { report }: JobContext): Promise<SampledRun> {
  return sampledRun(job, report);
}
