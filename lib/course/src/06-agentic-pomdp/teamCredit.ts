import { log } from "turnwise/internal/base/elementary/log";
import { createRng } from "turnwise/internal/base/rng";
import { dot } from "turnwise/internal/base/vectors";
import type { Batch } from "turnwise/internal/batch/batch";
import type { Env } from "turnwise/internal/env/index";
import { exactTurns } from "turnwise/internal/exact/index";
import type { Policy } from "turnwise/internal/policy/policy";
import { collect } from "turnwise/internal/rollout/index";
import { recipe, tokenCredit, type Recipe } from "turnwise/internal/rule/index";
import { train } from "turnwise/internal/train/index";
import { drawnBatch, everyGroup } from "turnwise/internal/card/draws";
import { exactGradient, probabilities, trajectoriesOf } from "turnwise/internal/card/trajectories";
import { segmentValues, type SegmentValues } from "./segmentValues";
import { teamArms, teamEnv, teamRecipe, type TeamArm, type TeamWorldName } from "./teamRun";

/** Whether a critic has one value of a turn, as in training here, or one for each of HiPER's levels. */
export type TeamCritic = "one" | "each";

/** Comparison of one batch's first step under an arm with the exact gradient. */
export interface TeamCredit {
  readonly arm: string;
  readonly critic: TeamCritic;
  /** Cosine of the expected step with the exact gradient: 1 where the rule has no bias in direction. */
  readonly cosine: number;
  /** Logarithm of the total variance of a step by the squared length of the expected one. */
  readonly logNoise: number;
}

/** Rule with the judged credit, and the seed of the half-trained policy. */
export interface TeamCreditJob {
  readonly rule: keyof typeof teamArms;
  readonly seed: number;
}

interface Draw {
  readonly batch: Batch;
  readonly weight: number;
  /** Values of a perfect critic for each turn: one value, and one for each of HiPER's levels. */
  readonly one: Float64Array;
  readonly each?: SegmentValues;
}

interface Bench {
  readonly policy: Policy;
  readonly gradient: Float64Array;
  readonly draws: readonly Draw[];
  /** Whether the draws are all there are, with their probabilities as weights. */
  readonly exact: boolean;
}

const GROUP = 4;
const BATCHES = 200;
const worldOf = { drMas: "hand over, 2 doors", hiper: "subgoals, 6 turns" } as const satisfies Readonly<
  Record<TeamCreditJob["rule"], TeamWorldName>
>;

/** A policy in the middle of learning, from drawn logits, by a rule that is not compared. */
async function halfTrained(env: Env, seed: number, updates: number): Promise<Policy> {
  const run = train({
    env,
    policy: { memory: "turnObservation", initialScale: 0.5, seed, ...(env.spec.roles && { syntaxPrior: 3 }) },
    recipe: recipe("reinforce", { advantage: "mean" }),
    updates,
    seed,
  });
  for await (const _ of run);
  return run.policy;
}

/** Two doors and two tries: every group of four can be listed. */
function everyBatch(env: Env, policy: Policy): Bench {
  const all = trajectoriesOf(env, policy);
  const p_n = probabilities(all, all.batch.oldLogProb_ntl);
  const draws = everyGroup(all, p_n, GROUP).map(({ members, weight }) => {
    const batch = drawnBatch(all, members);
    return { batch, weight, one: new Float64Array(batch.reward_nt.length) };
  });
  return { policy, gradient: exactGradient(all, policy).gradient, draws, exact: true };
}

/** Two hundred batches of 8 groups of 8, with the exact values of their turns. */
function sampledBatches(env: Env, policy: Policy, seed: number): Bench {
  const truth = exactTurns(env, policy);
  const levels = segmentValues(env, policy);
  const rng = createRng(seed).split("teamCredit");
  const draws = Array.from({ length: BATCHES }, (_, b) => {
    const batch = collect(env, policy, { groups: 8, groupSize: 8, rng: rng.split("batch", b) });
    return { batch, weight: 1 / BATCHES, one: truth.value_nt(batch), each: levels(batch) };
  });
  return { policy, gradient: truth.gradient, draws, exact: false };
}

/** The batch without what a world tells beyond tokens and rewards. */
function unmarked({ agentId_nt: _agents, switch_nt: _switches, role_ntl: _roles, ...batch }: Batch): Batch {
  return batch;
}

/** The expected first step of a rule beside the exact gradient, and the noise of one batch's. */
export function firstStep(
  { policy, gradient, draws, exact }: Bench,
  rule: Recipe,
  { marked = true, critic = "one" }: { readonly marked?: boolean; readonly critic?: TeamCritic } = {},
): Pick<TeamCredit, "cosine" | "logNoise"> {
  const mean = new Float64Array(gradient.length);
  let square = 0;
  for (const { batch, weight, one, each } of draws) {
    const dLogProb_ntl = tokenCredit(marked ? batch : unmarked(batch), rule, critic === "one" ? one : each);
    const step = policy.backward(batch, { dLogProb_ntl });
    step.forEach((x, i) => (mean[i]! += weight * x));
    square += weight * dot(step, step);
  }
  const n = draws.length;
  const variance = (square - dot(mean, mean)) * (exact ? 1 : n / (n - 1));
  // Of sampled batches, the squared length of the mean holds its own noise as well.
  const signal = dot(mean, mean) - (exact ? 0 : variance / n);
  return {
    cosine: dot(mean, gradient) / Math.sqrt(signal * dot(gradient, gradient)),
    logNoise: log(variance / signal),
  };
}

/** The half-trained policy of a seed in the rule's world, and the batches on which rules are judged. */
export async function teamBench({ rule, seed }: TeamCreditJob): Promise<Bench> {
  const env = teamEnv(worldOf[rule]);
  const policy = await halfTrained(env, seed, rule === "drMas" ? 20 : 40);
  return rule === "drMas" ? everyBatch(env, policy) : sampledBatches(env, policy, seed);
}

/**
 * Holds the first step of every arm against the exact gradient: its expected direction, and the noise of one batch.
 *
 * ```
 * cosine = <E u, grad J> / (|E u| |grad J|),   log noise = log(E |u - E u|^2 / |E u|^2)
 * ```
 * For agents, over every group of four in a world of two doors and two tries, exactly; for subgoals, over two hundred batches, with
 * a critic that knows the value of every turn, and undiscounted; HiPER's also with a value for each of its levels.
 */
export async function teamCredit({ rule, seed }: TeamCreditJob): Promise<TeamCredit[]> {
  const bench = await teamBench({ rule, seed });
  const arms: Readonly<Record<string, TeamArm>> = teamArms[rule];
  return Object.entries(arms).flatMap(([arm, { marked }]) => {
    const row = undiscounted(teamRecipe(worldOf[rule], arm, 0.03));
    const critics = row.advantage.kind === "hierarchical" ? (["one", "each"] as const) : (["one"] as const);
    return critics.map((critic) => ({ arm, critic, ...firstStep(bench, row, { marked, critic }) }));
  });
}

/** The rule without a discount, so that the critic's values are those of its returns. */
function undiscounted(rule: Recipe): Recipe {
  return "gamma" in rule.advantage ? { ...rule, advantage: { ...rule.advantage, gamma: 1 } } : rule;
}

/**
 * `teamCredit` as a job of a sweep.
 *
 * @public
 */
export function teamCreditJob(job: TeamCreditJob): Promise<TeamCredit[]> {
  return teamCredit(job);
}
