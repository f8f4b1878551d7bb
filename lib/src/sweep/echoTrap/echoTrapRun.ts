import { make } from "../../env";
import type { Metrics } from "../../monitor/glossary";
import { toolChainPolicy } from "../../policy";
import { recipeNeeds } from "../../rule";
import { train, type TrainOptions, type TrainRun } from "../../train";
import type { JobContext } from "../task";
import { leverRecipe, type LeverName } from "./levers";
import { traps, type Trap, type TrapName } from "./traps";
import { summarise, type RunSummary } from "./summary";

export interface EchoTrapJob {
  readonly trap: TrapName;
  readonly lever: LeverName;
  readonly seed: number;
  /** Cells of the trap that this job changes. */
  readonly change?: Partial<Trap>;
}

/** The options of a job's training run: ToolChain-v0, log-linear policy of the trap's competence, seed of both. */
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

/** Runs a job and sums it up; `onMetrics` sees every update. */
export async function echoTrapRun(
  job: EchoTrapJob,
  onMetrics?: (metrics: Metrics, update: number) => void,
): Promise<RunSummary> {
  const metrics: Metrics[] = [];
  let samples = 0;
  let optimizerSteps = 0;
  for await (const record of echoTrapTraining(job)) {
    metrics.push(record.metrics);
    onMetrics?.(record.metrics, record.update);
    ({ samples, optimizerSteps } = record);
  }
  return summarise(metrics, { samples, optimizerSteps });
}

/** `echoTrapRun` as a job of a sweep: the cell of the grid is one value, so that every trap has its own levers. */
export function echoTrapJob(
  { cell, seed }: { readonly cell: Omit<EchoTrapJob, "seed">; readonly seed: number },
  { report }: JobContext,
): Promise<RunSummary> {
  const { updates } = { ...traps[cell.trap], ...cell.change };
  return echoTrapRun({ ...cell, seed }, (_metrics, update) => {
    if (update % 20 === 0) report(update / updates);
  });
}
