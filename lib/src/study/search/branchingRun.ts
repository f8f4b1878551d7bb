import { createRng } from "../../base/rng";
import { log } from "../../base/elementary/log";
import { dot } from "../../base/vectors";
import { stepsTaken } from "../../batch/stepsTaken";
import { make, type Env } from "../../env";
import { enumerateReturn } from "../../exact";
import type { Policy } from "../../policy";
import { collect } from "../../rollout/collect";
import { recipe, tokenCredit, type Recipe } from "../../rule";
import { forksOf } from "../../rule/forks";
import { train } from "../../train";
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
 * Rules that differ in their rollouts, and where they say so in their advantage: all of them average over tokens, as the rows with
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

/** What the first step on a batch has to do with the exact gradient. */
export interface BranchingResult {
  readonly arm: BranchingArm;
  /** Mean number of groups and of environment steps of a batch; branches share steps, so that they get more groups. */
  readonly groups: number;
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

/** A policy in the midst of learning, from drawn logits, by a rule that is not compared. */
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

/**
 * Holds the first step on batches with branches, and without, against the exact gradient, at equal environment steps: a step that
 * several trajectories share is taken once.
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
  const rng = createRng(seed).split("branching");
  const draw = (row: Recipe, groups: number, name: string, index: number) =>
    collect(env, policy, {
      groups,
      groupSize: GROUP,
      rng: rng.split(name, index),
      forks: forksOf(row.forks).plan(row.forks),
    });
  const arms = (Object.keys(branchingArms) as BranchingArm[]).map((arm) => {
    const row = branchingArms[arm]();
    return { arm, row, ofGroup: stepsTaken(draw(row, COUNTED, "counted", 0)) / COUNTED };
  });
  const budget = GROUPS * arms[0]!.ofGroup;
  return arms.map(({ arm, row, ofGroup }) => {
    const groups = Math.round(budget / ofGroup);
    const expected = new Float64Array(gradient.length);
    let square = 0;
    let cosine = 0;
    let steps = 0;
    for (let b = 0; b < BATCHES; b++) {
      const batch = draw(row, groups, "batch", b);
      const step = policy.backward(batch, { dLogProb_ntl: tokenCredit(batch, row) });
      step.forEach((x, i) => (expected[i]! += x / BATCHES));
      square += dot(step, step) / BATCHES;
      cosine += cosineOf(dot(step, gradient), dot(step, step), gradient) / BATCHES;
      steps += stepsTaken(batch) / BATCHES;
    }
    const variance = ((square - dot(expected, expected)) * BATCHES) / (BATCHES - 1);
    // The squared length of the mean of the batches holds its own noise as well.
    const signal = dot(expected, expected) - variance / BATCHES;
    return {
      arm,
      groups,
      steps,
      logNoise: log(variance / signal) + log(steps / budget),
      cosine,
      expectedCosine: cosineOf(dot(expected, gradient), signal, gradient),
    };
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
