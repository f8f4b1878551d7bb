import { make } from "../../env";
import type { Metrics } from "../../base/glossary";
import { toolChainPolicy } from "../../policy";
import { recipeNeeds } from "../../rule";
import { watchRun, type WatchedRun } from "../../monitor";
import { NonFiniteError, train, type TrainOptions, type TrainRun } from "../../train";
import type { JobContext } from "../../sweep/job";
import { leverRecipe, type LeverName } from "./levers";
import { traps, type Trap, type TrapName } from "./traps";
import { summarise, type RunSummary } from "./summary";

/** One training run: a lever in a trap. */
export interface EchoTrapJob {
  readonly trap: TrapName;
  readonly lever: LeverName;
  readonly seed: number;
  /** Cells of the trap that this job changes. */
  readonly change?: Partial<Trap>;
}

/** The options of a job's training run on ToolChain-v0: a log-linear policy as competent as the trap says, both from the job's seed. */
export function echoTrapOptions({ trap, lever, seed, change }: EchoTrapJob): TrainOptions {
  const t: Trap = { ...traps[trap], ...change };
  const recipe = leverRecipe(lever, t);
  const env = make("ToolChain-v0", { turnCost: t.turnCost, rewardNoise: t.rewardNoise });
  const valueHead = recipeNeeds(recipe).value;
  return {
    env,
    policy: toolChainPolicy(env.spec, { beta: t.beta, seed, valueHead }),
    recipe,
    updates: t.updates,
    groups: t.groups,
    groupSize: t.groupSize,
    logProbNoise: t.logProbNoise,
    seed,
  };
}

/** The training run of a job, record by record. */
export function echoTrapTraining(job: EchoTrapJob): TrainRun {
  return train(echoTrapOptions(job));
}

/**
 * Runs a job and sums it up; `onMetrics` sees every update.
 *
 * A run that stops on a loss that is not finite is summed up as far as it got, with `stoppedAt`.
 */
export async function echoTrapRun(
  job: EchoTrapJob,
  onMetrics?: (metrics: Metrics, update: number) => void,
): Promise<RunSummary> {
  const metrics: Metrics[] = [];
  let spent = { samples: 0, optimizerSteps: 0 };
  try {
    for await (const { metrics: own, update, samples, optimizerSteps } of echoTrapTraining(job)) {
      metrics.push(own);
      onMetrics?.(own, update);
      spent = { samples, optimizerSteps };
    }
  } catch (error) {
    if (!(error instanceof NonFiniteError)) throw error;
    return summarise(metrics, spent, metrics.length + 1);
  }
  return summarise(metrics, spent);
}

/** A cell of the grid of `echoTrapSweep`: a job without its seed. */
export interface EchoTrapCell extends Omit<EchoTrapJob, "seed"> {
  /** Added to every seed, since alarms are calibrated on other seeds than they are scored on. */
  readonly firstSeed?: number;
  /** Keep when each alarm went off. */
  readonly watch?: boolean;
}

/** What a job of `echoTrapSweep` gives. */
export type EchoTrapResult = RunSummary & { readonly watch?: WatchedRun };

/**
 * `echoTrapRun` as a job of a sweep. A cell of the grid is one value, so that every trap can have its own levers.
 *
 * @public
 */
export async function echoTrapJob(
  { cell, seed }: { readonly cell: EchoTrapCell; readonly seed: number },
  { report }: JobContext,
): Promise<EchoTrapResult> {
  const { firstSeed = 0, watch = false, ...job } = cell;
  const { updates } = { ...traps[cell.trap], ...cell.change };
  const records: { update: number; metrics: Metrics }[] = [];
  const summary = await echoTrapRun({ ...job, seed: firstSeed + seed }, (metrics, update) => {
    if (watch) records.push({ update, metrics });
    if (update % 20 === 0) report(update / updates);
  });
  return watch ? { ...summary, watch: watchRun(records) } : summary;
}
