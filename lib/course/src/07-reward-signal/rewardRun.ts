import { make, type RewardKind } from "turnwise/internal/env/index";
import { recipe, type Recipe } from "turnwise/internal/rule/index";
import { train, type TrainRun } from "turnwise/internal/train/index";
import type { JobContext } from "turnwise/internal/sweep/job";
import { windows } from "./windows";

export const rewardWorlds = Object.freeze(["Calculator-v0", "Codebreaker-v0"] as const);
/** A world in which rewards are compared. */
export type RewardWorld = (typeof rewardWorlds)[number];

/** Credit of a turn: that of the entire trajectory, the rewards from the turn on, or its own reward. */
export const rewardCredits = Object.freeze(["trajectory", "rewardToGo", "reward"] as const);
/** Which rewards a turn is credited with. */
export type RewardCredit = (typeof rewardCredits)[number];

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

/**
 * GRPO's rule without a division by a std, so that only the credit differs; two steps of Adam at .05 on each batch.
 *
 * @see CM2, arXiv 2602.12268, for comparing a turn's own reward with its group
 */
export function rewardRecipe(credit: RewardCredit): Recipe {
  return recipe("grpo", {
    scale: "none",
    ...(credit !== "trajectory" && { advantage: { kind: "perTurn", credit } }),
    update: { epochs: 2, minibatches: 1, optimizer: { kind: "adam", learningRate: 0.05 } },
  });
}

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
