import type { JobContext } from "turnwise/internal/sweep/job";
import { train } from "turnwise/internal/train/index";
import { NonFiniteError } from "turnwise/internal/train/errors";
import { engines, mismatchArms, type EngineName, type MismatchArm } from "./arms";

/** One training run on the batches of an engine that differs from the trainer. */
export interface MismatchJob {
  readonly arm: MismatchArm;
  readonly engine: EngineName;
  readonly seed: number;
  /** Default 100. */
  readonly updates?: number;
}

/** Result of a run. A run that stops with numbers that are not finite has its last return, and says so. */
export interface MismatchEnd {
  /** Exact return of the policy in the end. */
  readonly end: number;
  /** Mean exact return over ten points of the run. */
  readonly mean: number;
  readonly stopped: boolean;
}

const POINTS = 10;

/** Trains on LookUp-v0, with 8 groups of 8 per update, from a policy that knows how calls are written. */
export async function mismatchRun(
  { arm, engine, seed, updates = 100 }: MismatchJob,
  report: (fraction: number) => void = () => undefined,
): Promise<MismatchEnd> {
  const every = Math.max(1, Math.floor(updates / POINTS));
  const run = train({
    env: "LookUp-v0",
    policy: { syntaxPrior: 3 },
    recipe: mismatchArms[arm],
    updates,
    seed,
    exactEvery: every,
    ...engines[engine],
  });
  const returns: number[] = [];
  let stopped = false;
  try {
    for await (const { update, metrics } of run) {
      if (metrics["return/exact"] !== undefined) returns.push(metrics["return/exact"]);
      report(update / updates);
    }
  } catch (error) {
    if (!(error instanceof NonFiniteError)) throw error;
    stopped = true;
  }
  const mean = returns.reduce((sum, J) => sum + J, 0) / Math.max(1, returns.length);
  return { end: returns.at(-1) ?? 0, mean, stopped };
}

/**
 * `mismatchRun` as a job of a sweep.
 *
 * @public
 */
export function mismatchJob(job: MismatchJob, { report }: JobContext): Promise<MismatchEnd> {
  return mismatchRun(job, report);
}
