import { make } from "turnwise/internal/env/index";
import { partitions } from "turnwise/internal/exact/partition";
import { createPolicy } from "turnwise/internal/policy/index";
import { recipe, type Recipe } from "turnwise/internal/rule/index";
import { train } from "turnwise/internal/train/index";
import type { JobContext } from "turnwise/internal/sweep/job";

/** A run whose partition functions are enumerated at every update's own reference. */
export interface OldCalibrationJob {
  readonly beta: number;
  readonly seed: number;
}

/**
 * Error of an accuracy that is read off a partition function if the reference is the policy that sampled, as in the
 * paper:
 *
 * ```
 * p_old = beta log Z - beta KL(pi_old || pi_theta),   Z = E_old[exp(R / beta)]
 * ```
 *
 * With pi_theta at its optimum, pi_old exp(R / beta) / Z, this is an identity. A run has the pi_theta that its update has come to.
 */
export interface OldCalibration {
  readonly update: number;
  /** Of the policy that sampled, as a mean over the tasks; so are the errors. */
  readonly accuracy: number;
  /** beta log Z, without the divergence. */
  readonly plainError: number;
  /** With KL(pi_old || pi_theta), pi_theta being the policy after the update. */
  readonly stepError: number;
  /** With pi_theta at its optimum. */
  readonly optimumError: number;
}

const LOOKS = [0, 5, 10, 20, 40, 80];

/** pacedRl with the policy that sampled as its reference: then the log-ratio is 0, and each update has an optimum of its own. */
export const oldReferenceRow = (): Recipe => recipe("pacedRl", { reward: { kl: null } });

/** Trains on LookUp-v0 as `calibrationRun` does, and enumerates Z under the policy that samples the next update. */
export async function oldCalibrationRun(
  { beta, seed }: OldCalibrationJob,
  report: (fraction: number) => void = () => undefined,
): Promise<OldCalibration[]> {
  const env = make("LookUp-v0", { wrongPenalty: 0, facts: 2 });
  const start = createPolicy(env.spec, { seed });
  const updates = LOOKS.at(-1)! + 1;
  const run = train({ env, policy: start.clone(), recipe: oldReferenceRow(), updates, seed });
  const points: OldCalibration[] = [];
  let old = start;
  for await (const { update } of run) {
    report(update / updates);
    const before = update - 1;
    if (LOOKS.includes(before)) {
      const own = partitions(env, old, old, { beta });
      const moved = partitions(env, old, run.policy, { beta });
      const over = (f: (k: number) => number): number =>
        own.reduce((sum, { probability }, k) => sum + probability * f(k), 0);
      points.push({
        update: before,
        accuracy: over((k) => own[k]!.accuracy),
        plainError: over((k) => beta * own[k]!.logZ - own[k]!.accuracy),
        stepError: over((k) => beta * (own[k]!.logZ - moved[k]!.drift) - own[k]!.accuracy),
        optimumError: over((k) => beta * (own[k]!.logZ - own[k]!.divergence) - own[k]!.accuracy),
      });
    }
    if (LOOKS.includes(update)) old = run.policy.clone();
  }
  return points;
}

/**
 * `oldCalibrationRun` as a job of a sweep.
 *
 * @public
 */
export function oldCalibrationJob(job: OldCalibrationJob, { report }: JobContext): Promise<OldCalibration[]> {
  return oldCalibrationRun(job, report);
}
