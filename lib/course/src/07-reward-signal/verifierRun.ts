import { train } from "turnwise/internal/train/index";
import type { JobContext } from "turnwise/internal/sweep/job";
import { fallibleVerifier, verifiers, type VerifierName } from "./fallibleVerifier";
import { rewardRecipe } from "../shared/credit/rewardRecipe";
import { windows } from "./windows";

/** One training run on the word of a verifier. */
export interface VerifierJob {
  readonly verifier: VerifierName;
  readonly seed: number;
  /** Default 200. */
  readonly updates?: number;
}

/** Means over a twentieth of the updates, or over single ones where there are fewer than twenty. */
export interface VerifierPoint {
  /** The last update of the window. */
  readonly update: number;
  /** Reward from the verifier. */
  readonly paid: number;
  /** The share of right answers. */
  readonly score: number;
}

const POINTS = 20;

/**
 * Trains on the verdicts of a verifier that can fail, with 8 groups of 8 per update, from a policy that knows how calls are written.
 *
 * Updates beyond the last whole window are trained and not shown.
 */
export async function verifierRun(
  { verifier, seed, updates = 200 }: VerifierJob,
  report: (fraction: number) => void = () => undefined,
): Promise<VerifierPoint[]> {
  const width = Math.max(1, Math.floor(updates / POINTS));
  const count = Math.floor(updates / width);
  const seen = windows(width * count, count);
  const run = train({
    env: fallibleVerifier(verifiers[verifier]),
    policy: { syntaxPrior: 3 },
    recipe: rewardRecipe("trajectory"),
    updates,
    seed,
  });
  for await (const { update, metrics } of run) {
    seen.add([metrics["reward/mean"]!, metrics["reward/trueScore"]!]);
    report(update / updates);
  }
  return seen.means.map(([paid, score], i) => ({
    update: (i + 1) * width,
    paid: paid!,
    score: score!,
  }));
}

/**
 * `verifierRun` as a job of a sweep.
 *
 * @public
 */
export function verifierJob(job: VerifierJob, { report }: JobContext): Promise<VerifierPoint[]> {
  return verifierRun(job, report);
}
