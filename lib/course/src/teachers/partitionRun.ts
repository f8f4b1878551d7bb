import { createRng } from "turnwise/internal/base/rng";
import { curriculum, LevelSampler, make } from "turnwise/internal/env/index";
import { PartitionSampler } from "turnwise/internal/env/curriculum/partitionSampler";
import { accuracyOfPartition, partitions } from "turnwise/internal/exact/partition";
import { createPolicy } from "turnwise/internal/policy/index";
import { collect } from "turnwise/internal/rollout/index";
import { recipe } from "turnwise/internal/rule/index";
import { train } from "turnwise/internal/train/index";
import type { JobContext } from "turnwise/internal/sweep/job";
import { oldReferenceRow } from "./oldReferenceRun";

/** Temperatures of the rewards: that of the rule, and one at which the target stays near the start. */
export const betas = Object.freeze([1 / 15, 0.5] as const);

/** A run whose partition functions are enumerated. */
export interface CalibrationJob {
  readonly beta: number;
  readonly seed: number;
}

/** Error of an accuracy that is read off a partition function compared with the policy's own, as a mean over the tasks. */
export interface Calibration {
  readonly update: number;
  readonly accuracy: number;
  /** beta log Z, of the exact Z. */
  readonly exactError: number;
  /** beta log Z, of the Z that trajectory balance fits to the policy's trajectories. */
  readonly fittedError: number;
  /** (Z - 1) / (e^{1 / beta} - 1), which is the accuracy of the reference. */
  readonly inverseError: number;
  /** KL(pi || target), nats. */
  readonly divergence: number;
}

const LOOKS = [0, 5, 10, 20, 40, 80];

/** Trains pacedRl on LookUp-v0 without penalties, whose return is 0 or 1, and enumerates Z on the way. */
export async function calibrationRun(
  { beta, seed }: CalibrationJob,
  report: (fraction: number) => void = () => undefined,
): Promise<Calibration[]> {
  const env = make("LookUp-v0", { wrongPenalty: 0, facts: 2 });
  const start = createPolicy(env.spec, { seed });
  const rule = recipe("pacedRl", { reward: { kl: { coef: beta } } });
  const run = train({ env, policy: start.clone(), recipe: rule, updates: LOOKS.at(-1)!, seed });
  const points: Calibration[] = [];
  const look = (update: number): void => {
    const tasks = partitions(env, run.policy, start, { beta });
    const over = (f: (task: (typeof tasks)[number]) => number): number =>
      tasks.reduce((sum, task) => sum + task.probability * f(task), 0);
    points.push({
      update,
      accuracy: over(({ accuracy }) => accuracy),
      exactError: over(({ logZ, accuracy }) => beta * logZ - accuracy),
      fittedError: over(({ fitted, accuracy }) => beta * fitted - accuracy),
      inverseError: over(({ logZ, accuracy }) => accuracyOfPartition(logZ, beta) - accuracy),
      divergence: over(({ divergence }) => divergence),
    });
  };
  look(0);
  for await (const { update } of run) {
    report(update / LOOKS.at(-1)!);
    if (LOOKS.includes(update)) look(update);
  }
  return points;
}

/** The ways to choose a level: by the accuracy that Z tells, by counted successes, or all alike. */
export const samplerArms = Object.freeze(["partition", "counted", "uniform"] as const);
/** The same where the reference is the policy that samples, as in the paper. */
export const oldSamplerArms = Object.freeze(["partition, old reference", "counted, old reference"] as const);

/** A run with a curriculum. */
export interface SamplerJob {
  readonly arm: (typeof samplerArms)[number] | (typeof oldSamplerArms)[number];
  readonly seed: number;
}

/** Result of a curriculum at equal samples. */
export interface SamplerResult {
  /** Mean return on the hardest level over 200 episodes that training does not see: at the end, and over six looks. */
  readonly hardest: number;
  readonly meanHardest: number;
  /** Mean over the looks and levels of |estimated success - that of 200 episodes|; of the arm without an estimate 0. */
  readonly error: number;
}

const LEVELS = 6;
const UPDATES = 120;
const EPISODES = 200;

/** Trains pacedRl on mazes of one to six steps, 8 groups of 8 an update, and looks at the hardest every twenty updates. */
export async function samplerRun(
  { arm, seed }: SamplerJob,
  report: (fraction: number) => void = () => undefined,
): Promise<SamplerResult> {
  const mazes = Array.from({ length: LEVELS }, (_, l) => make("TMaze-v0", { length: l + 1 }));
  const sampler = arm.startsWith("partition")
    ? new PartitionSampler({ levels: LEVELS })
    : new LevelSampler({ levels: LEVELS, ...(arm === "uniform" && { floor: 1 }) });
  const rule = arm.endsWith("old reference") ? oldReferenceRow() : recipe("pacedRl");
  const run = train({ env: curriculum(mazes, sampler), recipe: rule, updates: UPDATES, seed });
  const success = (level: number): { readonly J: number; readonly solved: number } => {
    const rng = createRng(seed).split("samplerRun", level);
    const batch = collect(mazes[level - 1]!, run.policy.clone(), { groups: EPISODES, groupSize: 1, rng });
    const solved = batch.info_nt!.filter((turns) => turns.at(-1)?.["success"] === true).length;
    return { J: batch.return_n.reduce((sum, R) => sum + R, 0) / EPISODES, solved: solved / EPISODES };
  };
  const hardest: number[] = [];
  const errors: number[] = [];
  for await (const { update } of run) {
    report(update / UPDATES);
    if (update % 20 !== 0) continue;
    for (let level = 1; level <= LEVELS; level++) {
      const { J, solved } = success(level);
      if (arm !== "uniform") errors.push(Math.abs(sampler.estimate(level) - solved));
      if (level === LEVELS) hardest.push(J);
    }
  }
  const meanOf = (values: readonly number[]): number =>
    values.length === 0 ? 0 : values.reduce((sum, x) => sum + x, 0) / values.length;
  return { hardest: hardest.at(-1)!, meanHardest: meanOf(hardest), error: meanOf(errors) };
}

/**
 * `calibrationRun` as a job of a sweep.
 *
 * @public
 */
export function calibrationJob(job: CalibrationJob, { report }: JobContext): Promise<Calibration[]> {
  return calibrationRun(job, report);
}

/**
 * `samplerRun` as a job of a sweep.
 *
 * @public
 */
export function samplerJob(job: SamplerJob, { report }: JobContext): Promise<SamplerResult> {
  return samplerRun(job, report);
}
