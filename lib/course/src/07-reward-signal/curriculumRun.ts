import { curriculum, LevelSampler, make, type Env } from "turnwise/internal/env/index";
import { collect } from "turnwise/internal/rollout/index";
import { recipe } from "turnwise/internal/rule/index";
import { createRng } from "turnwise/internal/base/rng";
import { train } from "turnwise/internal/train/index";
import type { JobContext } from "turnwise/internal/sweep/job";

/** The ways to choose the level of a task. */
export const curriculumArms = Object.freeze(["adaptive", "uniform", "hardest only"] as const);
/** A way to choose the level of a task. */
export type CurriculumArm = (typeof curriculumArms)[number];

/** One training run with a curriculum. */
export interface CurriculumJob {
  readonly arm: CurriculumArm;
  readonly seed: number;
  /** TMaze-v0 of corridor lengths 1 .. levels. Default 8. */
  readonly levels?: number;
  /** Default 150. */
  readonly updates?: number;
}

/** State of training at an update. */
export interface CurriculumPoint {
  readonly update: number;
  /** Mean return on the hardest level over 200 episodes that training does not see. */
  readonly hardest: number;
  /** Probability with which the next batch draws each level; empty for the arm without a sampler. */
  readonly draws: readonly number[];
}

const EVERY = 10;
const EPISODES = 200;

/**
 * Trains on mazes of several lengths, which the arm chooses, and evaluates on the hardest every ten updates.
 *
 * `adaptive` draws levels near success rate .5 (`LevelSampler`), `uniform` draws all alike, `hardest only` has no others. All
 * arms get 8 groups of 8 per update and equal optimizer steps. The policy is a table over whole histories: what it learns
 * about walking carries over from a short maze to a longer one, what it learns about the turn at the end does not.
 */
export async function curriculumRun(
  { arm, seed, levels = 8, updates = 150 }: CurriculumJob,
  report: (fraction: number) => void = () => undefined,
): Promise<CurriculumPoint[]> {
  const mazes = Array.from({ length: levels }, (_, l) => make("TMaze-v0", { length: l + 1 }));
  const sampler = new LevelSampler({ levels, ...(arm === "uniform" && { floor: 1 }) });
  const run = train({
    env: arm === "hardest only" ? mazes.at(-1)! : curriculum(mazes, sampler),
    recipe: recipe("grpo", {
      scale: "none",
      update: { epochs: 2, minibatches: 1, optimizer: { kind: "adam", learningRate: 0.05 } },
    }),
    updates,
    seed,
  });
  const played = (env: Env): number => {
    const rng = createRng(seed).split("curriculumRun");
    const { return_n } = collect(env, run.policy.clone(), { groups: EPISODES, groupSize: 1, rng });
    return return_n.reduce((sum, x) => sum + x, 0) / EPISODES;
  };
  const points: CurriculumPoint[] = [];
  for await (const { update } of run) {
    report(update / updates);
    if (update % EVERY !== 0) continue;
    const draws = arm === "hardest only" ? [] : sampler.probabilities();
    points.push({ update, hardest: played(mazes.at(-1)!), draws });
  }
  return points;
}

/**
 * `curriculumRun` as a job of a sweep.
 *
 * @public
 */
export function curriculumJob(job: CurriculumJob, { report }: JobContext): Promise<CurriculumPoint[]> {
  return curriculumRun(job, report);
}
