import { createRng, type Rng } from "turnwise/internal/base/rng";
import { log } from "turnwise/internal/base/elementary/log";
import { dot } from "turnwise/internal/base/vectors";
import type { Batch } from "turnwise/internal/batch/batch";
import { stepsTaken } from "turnwise/internal/batch/stepsTaken";
import { make, type Env } from "turnwise/internal/env/index";
import { enumerateReturn } from "turnwise/internal/exact/index";
import type { Policy } from "turnwise/internal/policy/index";
import { collect } from "turnwise/internal/rollout/collect";
import { recipe, tokenCredit, type Recipe } from "turnwise/internal/rule/index";
import { forksOf } from "turnwise/internal/rule/forks/index";
import { train } from "turnwise/internal/train/index";
import { shortChain } from "./shapleyRun";

interface Remembered {
  readonly memory: "history" | "turnObservation";
}

interface BranchedWorld {
  readonly env: () => Env;
  readonly policy: Remembered;
}

/**
 * Worlds whose episodes are branched: a hint to be remembered, a chain of tool calls, and two agents with a part each.
 *
 * LookUp is not among them: an untrained policy stands there where the exact gradient is next to nothing.
 */
export const branchedWorlds = Object.freeze({
  TMaze: { env: () => make("TMaze-v0", { length: 3 }), policy: { memory: "history" } },
  ToolChain: { env: shortChain, policy: { memory: "turnObservation" } },
  HandOver: { env: () => make("HandOver-v0"), policy: { memory: "turnObservation" } },
} satisfies Readonly<Record<string, BranchedWorld>>);

/** A world of `branchedWorlds`. */
export type BranchedWorldName = keyof typeof branchedWorlds;

/**
 * Rules that differ in their rollouts, and where they say so in their advantage: all of them average over tokens, as the rules with
 * branches do.
 */
export const branchingArms = Object.freeze({
  GRPO: () => recipe("grpo", { aggregate: "tokenMean" }),
  "Tree-GRPO": () => recipe("treeGrpo"),
  "Tree-GRPO's rollouts, GRPO's advantage": () => recipe("treeGrpo", { advantage: "mean" }),
  ARPO: () => recipe("arpo"),
} satisfies Readonly<Record<string, () => Recipe>>);

/** An arm of `branchingArms`. */
export type BranchingArm = keyof typeof branchingArms;

/** The half-trained policy of a seed in a world. */
export interface BranchingJob {
  readonly world: BranchedWorldName;
  readonly seed: number;
}

/** Comparison of the first step on a batch with the exact gradient. */
export interface BranchingResult {
  readonly arm: BranchingArm;
  /** Groups of a batch; branches share steps, so that they get more of them. */
  readonly groups: number;
  /** Environment steps of a batch, mean over batches. */
  readonly steps: number;
  /** Logarithm of the total variance of a step by the squared length of the expected one, at the plain rule's number of steps. */
  readonly logNoise: number;
  /** Cosine of one batch's step with the exact gradient, mean over batches. */
  readonly cosine: number;
  /** Cosine of the expected step with the exact gradient: 1 where the rule has no bias in direction. */
  readonly expectedCosine: number;
}

const GROUPS = 16;
const GROUP = 8;
const BATCHES = 200;
/** Groups from which the steps of a group are estimated. */
const COUNTED = 200;
const UPDATES = 20;

/** A policy in the middle of learning, from drawn logits, by a rule that is not compared. */
async function halfTrained(env: Env, policy: Remembered, seed: number): Promise<Policy> {
  const run = train({
    env,
    policy: { ...policy, initialScale: 0.5, seed },
    recipe: recipe("reinforce", { advantage: "mean" }),
    updates: UPDATES,
    seed,
  });
  for await (const _ of run);
  return run.policy;
}

/** A policy in its world, and what the first steps on its batches are compared with. */
export interface Aim {
  readonly env: Env;
  readonly policy: Policy;
  readonly gradient: Float64Array;
  readonly rng: Rng;
}

const drawn = ({ env, policy, rng }: Aim, rule: Recipe, groups: number, name: string, index: number): Batch =>
  collect(env, policy, {
    groups,
    groupSize: GROUP,
    rng: rng.split(name, index),
    forks: forksOf(rule.forks).plan(rule.forks),
  });

/** Steps that a group of eight takes under a rule: those that several of its trajectories share are taken once. */
export const stepsOfGroup = (aim: Aim, rule: Recipe): number =>
  stepsTaken(drawn(aim, rule, COUNTED, "counted", 0)) / COUNTED;

/** The first step of a rule on batches of that many groups, as `BranchingResult` has it, but for the noise that is left by `steps`. */
export function firstSteps(
  aim: Aim,
  rule: Recipe,
  groups: number,
): Pick<BranchingResult, "steps" | "logNoise" | "cosine" | "expectedCosine"> {
  const { policy, gradient } = aim;
  const expected = new Float64Array(gradient.length);
  let square = 0;
  let cosine = 0;
  let steps = 0;
  for (let b = 0; b < BATCHES; b++) {
    const batch = drawn(aim, rule, groups, "batch", b);
    const step = policy.backward(batch, { dLogProb_ntl: tokenCredit(batch, rule) });
    step.forEach((x, i) => (expected[i]! += x / BATCHES));
    square += dot(step, step) / BATCHES;
    cosine += cosineOf(dot(step, gradient), dot(step, step), gradient) / BATCHES;
    steps += stepsTaken(batch) / BATCHES;
  }
  const variance = ((square - dot(expected, expected)) * BATCHES) / (BATCHES - 1);
  // The squared length of the mean of the batches holds its own noise as well.
  const signal = dot(expected, expected) - variance / BATCHES;
  const expectedCosine = cosineOf(dot(expected, gradient), signal, gradient);
  return { steps, logNoise: log(variance / signal), cosine, expectedCosine };
}

/**
 * Holds the first step on batches with branches, and without, against the exact gradient, at equal environment steps.
 *
 * ```
 * groups    = round(16 s_plain / s),   s = mean steps of a group of eight
 * log noise = log(E |u - E u|^2 / |E u|^2) + log(steps / steps of the plain batch)
 * ```
 * The last term takes out what rounding leaves: a variance falls as the number of groups rises.
 */
export async function branchingRun({ world, seed }: BranchingJob): Promise<BranchingResult[]> {
  const { env: maker, policy: options } = branchedWorlds[world];
  const env = maker();
  const policy = await halfTrained(env, options, seed);
  const { gradient } = enumerateReturn(env, policy);
  const aim = { env, policy, gradient, rng: createRng(seed).split("branching") };
  const rows = (Object.keys(branchingArms) as BranchingArm[]).map((arm) => {
    const rule = branchingArms[arm]();
    return { arm, row: rule, ofGroup: stepsOfGroup(aim, rule) };
  });
  const budget = GROUPS * rows[0]!.ofGroup;
  return rows.map(({ arm, row: rule, ofGroup }) => {
    const groups = Math.round(budget / ofGroup);
    const { logNoise, ...rest } = firstSteps(aim, rule, groups);
    return { arm, groups, ...rest, logNoise: logNoise + log(rest.steps / budget) };
  });
}

/** A step of length 0, as of a batch in which all groups agree, points nowhere. */
function cosineOf(product: number, square: number, gradient: Float64Array): number {
  return square > 0 ? product / Math.sqrt(square * dot(gradient, gradient)) : 0;
}

/**
 * `branchingRun` as a job of a sweep.
 *
 * @public
 */
export function branchingJob(job: BranchingJob): Promise<BranchingResult[]> {
  return branchingRun(job);
}
