import { make, type RewardKind } from "turnwise/internal/env/index";
import { train, type TrainRun } from "turnwise/internal/train/index";
import type { JobContext } from "turnwise/internal/sweep/job";
import { rewardRecipe, type RewardCredit } from "../shared/credit/rewardRecipe";
import { windows } from "./windows";

export const rewardWorlds = Object.freeze(["Calculator-v0", "Codebreaker-v0"] as const);
/** A world in which rewards are compared. */
export type RewardWorld = (typeof rewardWorlds)[number];

/** One training run with a kind of reward. */
export interface RewardJob {
  readonly world: RewardWorld;
  readonly reward: RewardKind;
  readonly credit: RewardCredit;
  readonly seed: number;
  /** Default 150. */
  readonly updates?: number;
}

/** Result of training with a kind of reward. */
export interface RewardResult {
  /** True score, averaged over the last tenth of the updates. */
  readonly score: number;
  /** The return that training maximized, averaged likewise. */
  readonly paid: number;
  /** Tool calls per episode, averaged likewise. */
  readonly calls: number;
  /** True score of each tenth of the updates. */
  readonly curve: readonly number[];
  readonly samples: number;
  readonly optimizerSteps: number;
}

/** Memory that a policy needs in each world: in the Calculator, turn and last result are enough. */
const memory = { "Calculator-v0": "turnObservation", "Codebreaker-v0": "history" } as const;

/** The training of a job: 8 groups of 8 from the uniform policy. */
export function rewardTraining({ world, reward, credit, seed, updates = 150 }: RewardJob): TrainRun {
  return train({
    env: make(world, { reward }),
    policy: { memory: memory[world] },
    recipe: rewardRecipe(credit),
    updates,
    groups: 8,
    groupSize: 8,
    seed,
  });
}

/**
 * One run of a reward and a credit.
 *
 * @throws {RangeError} if the number of updates is not a multiple of 10
 */
export async function rewardRun(
  job: RewardJob,
  report: (fraction: number) => void = () => undefined,
): Promise<RewardResult> {
  const run = rewardTraining(job);
  const seen = windows(run.updates, 10);
  let samples = 0;
  let optimizerSteps = 0;
  for await (const { update, metrics, ...record } of run) {
    seen.add([metrics["reward/trueScore"]!, metrics["reward/mean"]!, metrics["tools/calls"]!]);
    ({ samples, optimizerSteps } = record);
    report(update / run.updates);
  }
  const [score, paid, calls] = seen.means.at(-1)! as [number, number, number];
  return { score, paid, calls, curve: seen.means.map(([own]) => own!), samples, optimizerSteps };
}

/**
 * `rewardRun` as a job of a sweep.
 *
 * @public
 */
export function rewardJob(job: RewardJob, { report }: JobContext): Promise<RewardResult> {
  return rewardRun(job, report);
}
