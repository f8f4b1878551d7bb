import { make } from "turnwise/internal/env/index";
import type { Metrics } from "turnwise/internal/base/glossary";
import { createRng } from "turnwise/internal/base/rng";
import { toolChainPolicy } from "turnwise/internal/policy/index";
import { recipeNeeds } from "turnwise/internal/rule/index";
import { NonFiniteError, train, type TrainOptions, type TrainRun } from "turnwise/internal/train/index";
import { evaluatePolicy } from "turnwise/internal/train/evaluate";
import type { JobContext } from "turnwise/internal/sweep/job";
import { leverRecipe, type LeverName } from "../shared/echoTrap/levers";
import { traps, type Trap, type TrapName } from "../shared/echoTrap/traps";
import type { RunSummary } from "../shared/echoTrap/runSummary";
import { summarize } from "./summary";

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

/** As many as the last 20 updates of a run that did not stop: 20 times 8 groups of 8. */
const EPISODES = 1280;

/**
 * Runs a job and sums it up; `onMetrics` sees every update.
 *
 * A run that stops on a loss that is not finite is summed up as far as it got, with `stoppedAt`; its final success is that of
 * the policy before the update that failed.
 */
export async function echoTrapRun(
  job: EchoTrapJob,
  onMetrics?: (metrics: Metrics, update: number) => void,
): Promise<RunSummary> {
  const metrics: Metrics[] = [];
  let spent = { samples: 0, optimizerSteps: 0 };
  const run = echoTrapTraining(job);
  try {
    for await (const { metrics: own, update, samples, optimizerSteps } of run) {
      metrics.push(own);
      onMetrics?.(own, update);
      spent = { samples, optimizerSteps };
    }
  } catch (error) {
    if (!(error instanceof NonFiniteError)) throw error;
    const rng = createRng(job.seed).split("stopped");
    const end = evaluatePolicy(run.env, run.policy, { episodes: EPISODES, greedy: false, rng });
    return summarize(metrics, spent, { at: metrics.length + 1, success: end["eval/success"]! });
  }
  return summarize(metrics, spent);
}

/** A cell of the grid of `echoTrapSweep`: a job without its seed. */
export interface EchoTrapCell extends Omit<EchoTrapJob, "seed"> {
  /** Added to every seed, for parts with seeds of their own. */
  readonly firstSeed?: number;
}

/**
 * `echoTrapRun` as a job of a sweep. A cell of the grid is one value, so that every trap can have its own levers.
 *
 * @public
 */
export function echoTrapJob(
  { cell, seed }: { readonly cell: EchoTrapCell; readonly seed: number },
  { report }: JobContext,
): Promise<RunSummary> {
  const { firstSeed = 0, ...job } = cell;
  const { updates } = { ...traps[cell.trap], ...cell.change };
  return echoTrapRun({ ...job, seed: firstSeed + seed }, (_, update) => {
    if (update % 20 === 0) report(update / updates);
  });
}
