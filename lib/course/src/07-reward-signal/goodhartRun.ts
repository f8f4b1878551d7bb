import { make, type Env, type RewardKind } from "turnwise/internal/env/index";
import type { Policy } from "turnwise/internal/policy/policy";
import { recipe, type Recipe } from "turnwise/internal/rule/index";
import { train } from "turnwise/internal/train/index";
import type { JobContext } from "turnwise/internal/sweep/job";
import { windows } from "./windows";

/** Objective of each arm, all from the same half-trained policy. The penalty is KL(policy || start), by its estimator. */
export const goodhartArms = Object.freeze({
  outcome: { reward: "outcome", kl: null },
  proxy: { reward: "proxy", kl: null },
  "proxy, exact KL .1": { reward: "proxy", kl: { estimator: "exact", coef: 0.1 } },
  "proxy, exact KL 1": { reward: "proxy", kl: { estimator: "exact", coef: 1 } },
  "proxy, k3 .1": { reward: "proxy", kl: { estimator: "k3", coef: 0.1 } },
  "proxy, k3 1": { reward: "proxy", kl: { estimator: "k3", coef: 1 } },
} as const);

/** Reward, and the strength of the KL penalty. */
export type GoodhartArm = keyof typeof goodhartArms;

/** One training run on a reward that can be gamed. */
export interface GoodhartJob {
  readonly arm: GoodhartArm;
  readonly seed: number;
  /** Updates on the arm's reward. Default 400. */
  readonly updates?: number;
}

/** Means over a twentieth of the updates. */
export interface GoodhartPoint {
  /** The last update of the window. */
  readonly update: number;
  /** The return that the arm optimizes. */
  readonly paid: number;
  /** The true score. */
  readonly score: number;
  /** KL(policy || start), nats per token, by the estimator of the arm; exact where it has no penalty. */
  readonly kl: number;
}

const FIRST_UPDATES = 120;
const POINTS = 20;

/** Calculator-v0 with two useless tools that are free and a calculator that costs something a call, by default .1. */
export function goodhartWorld(reward: RewardKind, callCost = 0.1): Env {
  return make("Calculator-v0", { distractors: 2, callCost, reward });
}

/** A penalty of weight 0 only measures the distance. */
const measured = { estimator: "exact", coef: 0 } as const;

function row(kl: (typeof goodhartArms)[GoodhartArm]["kl"] | typeof measured): Recipe {
  return recipe("grpo", {
    scale: "none",
    regularizer: { klReference: kl },
    update: { epochs: 2, minibatches: 1, optimizer: { kind: "adam", learningRate: 0.05 } },
  });
}

/** The policy from which every arm of a seed starts: 120 updates on the checklist, which do not suffice for every seed. */
export async function goodhartStart(seed: number): Promise<Policy> {
  const run = train({
    env: goodhartWorld("checklist"),
    policy: { memory: "turnObservation" },
    recipe: row(null),
    updates: FIRST_UPDATES,
    seed,
  });
  for await (const _ of run);
  return run.policy;
}

/**
 * Trains the seed's half-trained policy further on the arm's reward, with 8 groups of 8 per update.
 *
 * @see Gao, Schulman, Hilton, "Scaling laws for reward model overoptimization" (2210.10760): gold score against KL
 * @throws {RangeError} if the number of updates is not a multiple of 20
 */
export async function goodhartRun(
  { arm, seed, updates = 400 }: GoodhartJob,
  report: (fraction: number) => void = () => undefined,
): Promise<GoodhartPoint[]> {
  const { reward, kl } = goodhartArms[arm];
  const seen = windows(updates, POINTS);
  const run = train({
    env: goodhartWorld(reward),
    policy: await goodhartStart(seed),
    recipe: row(kl ?? measured),
    updates,
    seed,
  });
  for await (const { update, metrics } of run) {
    seen.add([metrics["reward/mean"]!, metrics["reward/trueScore"]!, metrics["policy/klReference"]!]);
    report(update / updates);
  }
  return seen.means.map(([paid, score, distance], i) => ({
    update: ((i + 1) * updates) / POINTS,
    paid: paid!,
    score: score!,
    kl: distance!,
  }));
}

/**
 * `goodhartRun` as a job of a sweep.
 *
 * @public
 */
export function goodhartJob(job: GoodhartJob, { report }: JobContext): Promise<GoodhartPoint[]> {
  return goodhartRun(job, report);
}
