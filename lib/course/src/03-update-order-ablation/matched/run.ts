import { make } from "turnwise/internal/env/index";
import type { Env } from "turnwise/internal/env/env";
import { LogLinearPolicy, TabularPolicy, toolChainPolicy, type Policy } from "turnwise/internal/policy/index";
import { recipe, type Recipe } from "turnwise/internal/rule/index";
import type { JobContext } from "turnwise/internal/sweep/job";
import { NonFiniteError, train } from "turnwise/internal/train/index";
import { rtpo } from "turnwise/internal/train/reverseTurns/rtpo";
import {
  matchedArm,
  matchedBatch,
  matchedSteps,
  matchedWorlds,
  type MatchedArm,
  type MatchedWorld,
} from "./design";
import { UpdateMeter } from "./updateMeter";

/** One run of the study or of its tuning. */
export interface MatchedJob {
  readonly world: MatchedWorld;
  /** The name of an arm of that world. */
  readonly arm: string;
  readonly rate: number;
  readonly seed: number;
  /** Default: the world's. */
  readonly updates?: number;
}

/** The outcome of a run, and its cost. */
export interface MatchedRun {
  readonly world: MatchedWorld;
  readonly arm: string;
  readonly rate: number;
  readonly seed: number;
  /** Success over the last 20 updates; on the ladder, the mean return. 0 if training failed. */
  readonly success: number;
  /** The update whose loss or gradient was not finite, which ended the run; 0 if there was none. */
  readonly failedAt: number;
  readonly samples: number;
  /** Turns that were really played. */
  readonly turns: number;
  readonly optimizerSteps: number;
  /** Optimizer steps that a token of the policy took part in, on average. */
  readonly passes: number;
  /** KL of the policy before an update to the one after it, nats per episode: mean over the first 20 updates. */
  readonly klFirst: number;
  /** The same, mean over every tenth update. */
  readonly kl: number;
}

interface Progress {
  readonly samples: number;
  readonly optimizerSteps: number;
  readonly metrics: Readonly<Record<string, number | undefined>>;
}

/** A run of one arm: 19 200 rollouts in batches of 64, or as many as the world's number of updates asks for. */
export async function matchedRun(
  { world, arm: name, rate, seed, updates = matchedWorlds[world].updates }: MatchedJob,
  report: (fraction: number) => void = () => undefined,
): Promise<MatchedRun> {
  const arm = matchedArm(world, name);
  const [env, policy] = worldOf(world, seed);
  const { groups, groupSize, last } = matchedBatch;
  const rollouts = updates * groups * groupSize;
  const meter = new UpdateMeter(policy);
  const scores: number[] = [];
  let reached: Progress | undefined;
  let failedAt = 0;
  try {
    for await (const record of progressOf()) {
      meter.updated();
      const { metrics, samples } = record;
      scores.push(metrics["success/mean"] ?? metrics["reward/mean"] ?? NaN);
      reached = record;
      report(samples / rollouts);
    }
  } catch (error) {
    if (!(error instanceof NonFiniteError)) throw error;
    failedAt = scores.length + 1;
  }
  const ending = scores.slice(-last);
  const { samples = 0, optimizerSteps = 0 } = reached ?? {};
  return {
    world,
    arm: name,
    rate,
    seed,
    success: failedAt > 0 ? 0 : ending.reduce((a, b) => a + b, 0) / ending.length,
    failedAt,
    samples,
    optimizerSteps,
    ...meter.totals(),
  };

  function progressOf(): AsyncIterable<Progress> {
    const update = updateOf(arm, world, rate);
    if (arm.form === "rtpo")
      return rtpo(env, policy, { groups, trunks: 1, siblings: 2, rollouts, seed, update }, meter);
    const run = train({ env, policy, recipe: ruleOf(arm, world, rate), updates, groups, groupSize, seed });
    run.witness = meter;
    return run;
  }
}

/** Epochs, minibatches and learning rate of an arm. */
function updateOf({ form, order, held }: MatchedArm, world: MatchedWorld, rate: number): Recipe["update"] {
  const { minibatches, epochs, perTurn } = matchedSteps;
  const optimizer = { kind: "sgd", learningRate: rate } as const;
  if (form === "released")
    return { ...recipe("seeUpo", { variant: "authors" }).update, optimizer } as Recipe["update"];
  const steps = held === "steps" ? (perTurn * matchedWorlds[world].turns) / minibatches : epochs;
  return recipe("seeUpo", { update: { epochs: steps, minibatches, optimizer }, order }).update;
}

/**
 * The rule of an arm: SeeUPO's Equations 4 to 9, `recipe("seeUpo")`, with another order, ratio or carry.
 *
 * A carry pools the tokens of a turn as the ratio does. At equal steps, the steps of a batch are shared out among the turns that were
 * reached in it, so that every arm takes as many on every batch; elsewhere each turn has four.
 */
export function ruleOf(arm: MatchedArm, world: MatchedWorld, rate: number): Recipe {
  const { form, order, ratio, carry, held } = arm;
  const update = updateOf(arm, world, rate);
  if (form === "released") {
    const rule = recipe("seeUpo", { variant: "authors" });
    return recipe(rule, { update, ...(order === "simultaneous" && { order: "simultaneous" }) });
  }
  return recipe("seeUpo", {
    ratio: { level: "turn", pooling: ratio },
    order:
      order === "simultaneous"
        ? "simultaneous"
        : {
            kind: order,
            oldLogProb: form === "recomputed" ? "recomputed" : "rollout",
            carry: carryOf(carry, ratio),
            steps: held === "steps" ? "shared" : "each",
          },
    update,
  });
}

function carryOf(
  carry: MatchedArm["carry"],
  pooling: MatchedArm["ratio"],
): { readonly kind: "off" } | { readonly kind: "exact" | "clipped"; readonly pooling: MatchedArm["ratio"] } {
  return carry === "exact" || carry === "clipped" ? { kind: carry, pooling } : { kind: "off" };
}

/** A world of the study, and the policy that a seed begins with. */
export function worldOf(world: MatchedWorld, seed: number): readonly [Env, Policy] {
  if (world === "toolChain" || world === "toolChainApart") {
    const env = make("ToolChain-v0", { turnCost: 0.01 });
    return [env, toolChainPolicy(env.spec, { beta: 2, seed, perTurn: world === "toolChainApart" })];
  }
  if (world === "ladder") {
    const env = make("MatrixChain-v0", { game: "ladder", turns: 4 });
    return [env, new TabularPolicy(env.spec, { seed })];
  }
  if (world === "keyDoor") {
    const env = make("KeyDoor-v0");
    return [env, new LogLinearPolicy(env.spec, { seed })];
  }
  const env = make("ApiChain-v0", { level: 1, taskCount: 1, reward: "checklist" });
  return [env, new TabularPolicy(env.spec, { memory: "turnObservation", syntaxPrior: 3, seed })];
}

/**
 * `matchedRun` as a job of `sweep`, whose grid has one axis of cells.
 *
 * @public
 */
export function matchedOrderJob(
  { cell, seed }: { readonly cell: Omit<MatchedJob, "seed">; readonly seed: number },
  { report }: JobContext,
): Promise<MatchedRun> {
  const { world, arm, rate, updates } = cell;
  return matchedRun({ world, arm, rate, seed, ...(updates !== undefined && { updates }) }, report);
}
