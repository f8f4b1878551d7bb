import { createRng } from "turnwise/internal/base/rng";
import { make, type Env } from "turnwise/internal/env/index";
import { createPolicy, type Policy } from "turnwise/internal/policy/index";
import { collect } from "turnwise/internal/rollout/collect";
import { recipe } from "turnwise/internal/rule/index";
import { train } from "turnwise/internal/train/index";
import { expertIteration } from "turnwise/internal/train/expertIteration/expertIteration";

/**
 * The worlds that no rule of the table solves, each with a budget of environment steps that was named before the runs.
 *
 * Exploration, widening and budgets were chosen on seed 1000 alone, which is none of the study's.
 */
export const searchedWorlds = Object.freeze({
  ApiChain: { id: "ApiChain-v0", steps: 1_500_000 },
  Codebreaker: { id: "Codebreaker-v0", steps: 300_000 },
} as const);

/** A world of `searchedWorlds`. */
export type SearchedWorld = keyof typeof searchedWorlds;

/**
 * Learners: search and imitation, or GRPO.
 *
 * Both teach the same table, which knows the syntax of calls by 3 nats. The search compares one turn of each class that the world tells
 * apart, which GRPO has no use for. Groups of equal returns, whose advantages are 0, are left out of GRPO's updates to save time.
 */
export const searchedArms = Object.freeze(["expert iteration", "grpo"] as const);

/** At so many steps the two are compared with each other; GRPO is trained no further, as it takes minutes for each run. */
export const comparedSteps = 300_000;

/** One of `searchedArms`. */
export type SearchedArm = (typeof searchedArms)[number];

/** One run. */
export interface SearchedJob {
  readonly world: SearchedWorld;
  readonly arm: SearchedArm;
  readonly seed: number;
}

/** Return of the policy alone, without search, by environment steps; 1 is the optimum. */
export interface SearchedPoint {
  readonly steps: number;
  readonly score: number;
}

const POINTS = 10;
const EPISODES = 512;

/** Trains on a budget of environment steps and looks at the policy alone after each tenth of it. */
export async function searchedRun({ world, arm, seed }: SearchedJob): Promise<SearchedPoint[]> {
  const { id, steps } = searchedWorlds[world];
  const env = make(id);
  const policy = createPolicy(env.spec, { syntaxPrior: 3, seed });
  const points: SearchedPoint[] = [];
  if (arm === "expert iteration") {
    const o = { iterations: POINTS, stepsPerIteration: steps / POINTS, evalEpisodes: EPISODES, seed };
    for await (const record of expertIteration(env, policy, o)) {
      points.push({ steps: record.steps, score: record.return! });
    }
    return points;
  }
  const rule = recipe("grpo", { filter: { kind: "zeroVariance", maxGenerations: 1 } });
  let taken = 0;
  for await (const { metrics } of train({
    env,
    policy: () => policy,
    recipe: rule,
    updates: comparedSteps,
    seed,
  })) {
    taken += metrics["rollout/steps"]!;
    const due = taken >= ((points.length + 1) * comparedSteps) / POINTS;
    if (due) points.push({ steps: taken, score: scoreOf(env, policy, seed) });
    if (points.length === POINTS) break;
  }
  return points;
}

function scoreOf(env: Env, policy: Policy, seed: number): number {
  const rng = createRng(seed).split("searchedRun");
  const { return_n } = collect(env, policy.clone(), { groups: EPISODES, groupSize: 1, rng });
  return return_n.reduce((a, b) => a + b, 0) / EPISODES;
}

/**
 * `searchedRun` as a job of a sweep.
 *
 * @public
 */
export function searchedJob(job: SearchedJob): Promise<SearchedPoint[]> {
  return searchedRun(job);
}
