import { expectWhole } from "turnwise/internal/base/expect";
import { make } from "turnwise/internal/env/index";
import type { Env } from "turnwise/internal/env/env";
import { LogLinearPolicy, TabularPolicy, toolChainPolicy, type Policy } from "turnwise/internal/policy/index";
import { recipe, type Recipe } from "turnwise/internal/rule/index";
import { train } from "turnwise/internal/train/index";
import type { JobContext } from "turnwise/internal/sweep/job";
import type { SweepTask } from "turnwise/internal/sweep/plan";

/**
 * The arms of the first ablation of update orders, whose plans of 0.1.0 still run. Its steps are equal in name alone, since episodes end
 * early, and its ratio and carry go together in no paper: the lesson rests on the study of `matched/` instead.
 */
export const orderArms = Object.freeze([
  "reverse",
  "random",
  "forward",
  "reverse, no carry",
  "simultaneous, equal steps",
  "simultaneous, 4 steps",
] as const);

/** An order of turns. */
export type OrderArm = (typeof orderArms)[number];

/** A world in which orders are compared. */
export type OrderWorld = "ToolChain-v0" | "KeyDoor-v0" | "ApiChain-v0";

/** Which order is tried in which world, and for how long. */
export interface OrderAblationOptions {
  readonly seed: number;
  /**
   * ToolChain-v0 (the default); KeyDoor-v0 with three turns, where the policy sees only its own last note; ApiChain-v0 with one
   * task of level 1, a quarter of a point for each of four subgoals, and a tabular policy that knows nothing.
   */
  readonly world?: OrderWorld;
  readonly updates?: number;
  /** ToolChain-v0 only. */
  readonly turnCost?: number;
  /** Competence of the starting policy on ToolChain-v0. */
  readonly beta?: number;
  readonly learningRate?: number;
  readonly scale?: "none" | "group" | "batch";
}

/** Result of training with an order of turns. */
export interface OrderResult {
  readonly arm: OrderArm;
  readonly seed: number;
  /** Success, averaged over the last 20 updates. */
  readonly success: number;
  /** Return, averaged over the last 20 updates. */
  readonly reward: number;
  readonly samples: number;
  readonly optimizerSteps: number;
}

const LAST = 20;

/**
 * The rule of one arm: after SeeUPO's released code (geometric turn ratio, carry clipped to [.8, 1.2], old log-probs
 * recomputed), with three differences: the carry is the product of a turn's token ratios, where the code's is their geometric
 * mean; each turn is a mean over tokens, where the code averages each trajectory first; no batch normalization and no KL.
 * All arms share the loss denominator. `recipe("seeUpo", { variant: "authors" })` is the released code.
 *
 * Sequential arms take 4 steps (2 epochs of 2 minibatches) for each of the `turns`. A simultaneous arm takes as many for all
 * turns together, or only 4, which is what it gets when arms are compared at "the same number of epochs".
 *
 * @see SeeUPO, arXiv 2602.06554, and its code, branch `seeupo` of https://github.com/modelscope/AgentEvolver
 */
export function orderRecipe(
  arm: OrderArm,
  {
    learningRate = 2,
    scale = "none",
    turns = 4,
  }: Pick<OrderAblationOptions, "learningRate" | "scale"> & { readonly turns?: number } = {},
): Recipe {
  const carry =
    arm === "reverse, no carry"
      ? ({ kind: "off" } as const)
      : ({ kind: "clipped", pooling: "product", low: 0.8, high: 1.2 } as const);
  const kind = arm === "random" || arm === "forward" ? arm : "reverse";
  return recipe("seeUpo", {
    scale,
    ratio: { level: "turn", pooling: "geometric" },
    aggregate: { kind: "tokenMean", per: "turn" },
    order: arm.startsWith("simultaneous") ? "simultaneous" : { kind, oldLogProb: "recomputed", carry },
    update: {
      epochs: arm === "simultaneous, equal steps" ? 2 * turns : 2,
      minibatches: 2,
      optimizer: { kind: "sgd", learningRate },
    },
  });
}

/**
 * One run of an arm: 8 groups of 8 per update, one model for all turns.
 *
 * @throws {RangeError} if there are fewer than 20 updates
 */
export async function orderAblation(
  arm: OrderArm,
  o: OrderAblationOptions,
  report: (fraction: number) => void = () => undefined,
): Promise<OrderResult> {
  const { seed, updates = 300 } = o;
  expectWhole("run the order ablation", "updates", updates, LAST);
  const [env, policy] = worldOf(o);
  const turns = env.spec.maxTurns;
  const total = { success: 0, reward: 0 };
  let samples = 0;
  let optimizerSteps = 0;
  for await (const { update, metrics, ...record } of train({
    env,
    policy,
    recipe: orderRecipe(arm, { ...o, turns }),
    updates,
    groups: 8,
    groupSize: 8,
    seed,
  })) {
    if (update > updates - LAST) {
      const reward = metrics["reward/mean"] ?? NaN;
      total.reward += reward;
      total.success += metrics["success/mean"] ?? reward;
    }
    ({ samples, optimizerSteps } = record);
    report(update / updates);
  }
  return {
    arm,
    seed,
    success: total.success / LAST,
    reward: total.reward / LAST,
    samples,
    optimizerSteps,
  };
}

function worldOf({
  seed,
  world = "ToolChain-v0",
  turnCost = 0.01,
  beta = 2,
}: OrderAblationOptions): [Env, Policy] {
  if (world === "ToolChain-v0") {
    const env = make(world, { turnCost });
    return [env, toolChainPolicy(env.spec, { beta, seed })];
  }
  if (world === "KeyDoor-v0") {
    const env = make(world);
    return [env, new LogLinearPolicy(env.spec, { seed })];
  }
  const env = make(world, { level: 1, taskCount: 1, reward: "checklist" });
  return [env, new TabularPolicy(env.spec, { memory: "turnObservation", seed })];
}

/**
 * `orderAblation` as a job of `sweep`: `orderTask`.
 *
 * @public
 */
export function orderJob(
  { arm, ...options }: OrderAblationOptions & { readonly arm: OrderArm },
  { report }: JobContext,
): Promise<OrderResult> {
  return orderAblation(arm, options, report);
}

/** The job that runs one cell of the ablation. */
export const orderTask: SweepTask = Object.freeze({ module: "turnwise-course/jobs", export: "orderJob" });
