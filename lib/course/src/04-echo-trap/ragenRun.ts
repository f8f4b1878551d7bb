import type { Metrics } from "turnwise/internal/base/glossary";
import { recipe, type Recipe } from "turnwise/internal/rule/index";
import { mean } from "turnwise/internal/base/statistics";
import { train, type TrainRun } from "turnwise/internal/train/index";

/** The three worlds of RAGEN. */
export const ragenEnvs = Object.freeze(["BiArmBandit-v0", "FrozenLake-v0", "Sokoban-v0"] as const);
/** From the mean return of the random agent to the optimum, as `datasets/measured/environment-references.csv` has them. */
export const ragenSpans: Readonly<Record<(typeof ragenEnvs)[number], number>> = Object.freeze({
  "BiArmBandit-v0": 0.05,
  "FrozenLake-v0": 0.1388,
  "Sokoban-v0": 10.7918,
});
/** The rows that are compared on them. */
export const ragenRows = Object.freeze(["starPo", "grpo", "starPoS"] as const);

/** One training run on a world of RAGEN. */
export interface RagenJob {
  readonly env: (typeof ragenEnvs)[number];
  readonly row: (typeof ragenRows)[number];
  readonly seed: number;
  readonly updates?: number;
}

/** One run in numbers; updates count from 1, and null stands for an event that did not happen. */
export interface RagenSummary {
  /** Mean reward of the first 10 updates, of the last 20, and the best of any 10. */
  readonly start: number;
  readonly final: number;
  readonly peak: number;
  /** The update at which the best 10 end. */
  readonly peakAt: number;
  /** First of 5 updates in a row whose in-group std is below a tenth of the highest so far. */
  readonly stdCliff: number | null;
  /** First of 5 updates in a row whose entropy is below a tenth of the highest so far. */
  readonly entropyCliff: number | null;
  /** First update after the peak at which the mean of 10 has lost half of the rise. */
  readonly fall: number | null;
  /** Update of the largest gradient norm. */
  readonly spikeAt: number;
  readonly entropy: number;
  readonly topShare: number;
  /** Mean reward of each quarter of the run. Unlike the best of many windows, noise does not flatter it. */
  readonly q1: number;
  readonly q2: number;
  readonly q3: number;
  readonly q4: number;
}

const WINDOW = 10;
const STAYS = 5;

/**
 * The rule with RAGEN's settings: one epoch of 4 minibatches (32 of 8 x 16 trajectories each) and Adam with betas .9 and .999.
 * The learning rate of .05 is ours: theirs is meant for a language model.
 *
 * @see RAGEN, arXiv 2504.20073
 */
export function ragenRecipe(row: RagenJob["row"]): Recipe {
  return recipe(row, {
    aggregate: "tokenMean",
    ...(row === "grpo" && {
      reward: { kl: { coef: 0.001 } },
      regularizer: { entropyCoef: 0.001 },
    }),
    update: { epochs: 1, minibatches: 4, optimizer: { kind: "adam", learningRate: 0.05 } },
  });
}

/** The training run of a job: 200 updates of 8 groups of 16, with a table over the latest observation. */
export function ragenTraining({ env, row, seed, updates = 200 }: RagenJob): TrainRun {
  return train({
    env,
    policy: { kind: "tabular", memory: "observation" },
    recipe: ragenRecipe(row),
    updates,
    groups: 8,
    groupSize: 16,
    seed,
  });
}

/** Runs a job and sums it up. */
export async function ragenRun(job: RagenJob): Promise<RagenSummary> {
  const all: Metrics[] = [];
  for await (const { metrics } of ragenTraining(job)) all.push(metrics);
  return ragenSummary(all);
}

/**
 * `ragenRun` as a job of a sweep.
 *
 * @public
 */
export function ragenJob(options: RagenJob): Promise<RagenSummary> {
  return ragenRun(options);
}

/**
 * The summary of a run's metrics.
 *
 * @throws {RangeError} if there are fewer than 20 updates
 */
export function ragenSummary(all: readonly Metrics[]): RagenSummary {
  if (all.length < 20) {
    throw new RangeError(`Cannot sum up a run: it must have at least 20 updates, got ${all.length}.`);
  }
  const of = (name: keyof Metrics): number[] => all.map((metrics) => metrics[name] ?? NaN);
  const reward = of("reward/mean");
  const smooth = reward.map((_, i) => (i + 1 < WINDOW ? NaN : mean(reward.slice(i + 1 - WINDOW, i + 1))));
  const start = smooth[WINDOW - 1]!;
  const peak = Math.max(...smooth.slice(WINDOW - 1));
  const peakAt = smooth.indexOf(peak) + 1;
  const lost = smooth.findIndex((x, i) => i + 1 > peakAt && x < (start + peak) / 2);
  const quarter = (k: number): number =>
    mean(reward.slice(Math.round((k * reward.length) / 4), Math.round(((k + 1) * reward.length) / 4)));
  const gradient = of("policy/gradNorm").map((x) => (Number.isFinite(x) ? x : 0));
  return {
    start,
    final: mean(reward.slice(-20)),
    peak,
    peakAt,
    stdCliff: cliff(of("reward/std")),
    entropyCliff: cliff(of("policy/entropy")),
    fall: lost < 0 ? null : lost + 1,
    spikeAt: gradient.indexOf(Math.max(...gradient)) + 1,
    entropy: mean(of("policy/entropy").slice(-20)),
    topShare: mean(of("response/topShare").slice(-20)),
    ...{ q1: quarter(0), q2: quarter(1), q3: quarter(2), q4: quarter(3) },
  };
}

/** The first of `STAYS` updates in a row below a tenth of the highest so far. One is not enough: where rewards are rare, a batch may have no std by chance. */
function cliff(values: readonly number[]): number | null {
  let highest = 0;
  let since = 0;
  for (const [i, x] of values.entries()) {
    highest = Math.max(highest, x || 0);
    since = x < highest / 10 ? since + 1 : 0;
    if (since === STAYS) return i + 2 - STAYS;
  }
  return null;
}
