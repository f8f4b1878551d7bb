import { createRng } from "turnwise/internal/base/rng";
import { make, type Env } from "turnwise/internal/env/index";
import { optimalReturn, randomReturn, score } from "turnwise/internal/exact/index";
import { createPolicy } from "turnwise/internal/policy/create";
import { collect } from "turnwise/internal/rollout/collect";
import { playSearch } from "turnwise/internal/search/playSearch";
import { mcts, ucb1 } from "turnwise/internal/search/search";
import { beliefSimulator } from "turnwise/internal/search/simulator";

/** Worlds in which somebody thinks ahead or tries again: a fact, a chain of tools, a code and a map. */
export const thinkingWorlds = Object.freeze([
  "LookUp-v0",
  "ToolChain-v0",
  "Codebreaker-v0",
  "Sokoban-v0",
] as const);

/** One of `thinkingWorlds`. */
export type ThinkingWorld = (typeof thinkingWorlds)[number];

/** Ways to spend the steps: the best of many random attempts at the same task, or a search before each turn of one attempt. */
export const thinkers = Object.freeze([
  "the best of many attempts",
  "UCB1 on the next turn",
  "tree search",
] as const);

/** One of `thinkers`. */
export type Thinker = (typeof thinkers)[number];

/** Steps for each task, simulated and real together. */
export const thinkingBudgets = Object.freeze([100, 300, 1000] as const);

/** Ten tasks of a world. */
export interface ThinkingJob {
  readonly world: ThinkingWorld;
  readonly thinker: Thinker;
  readonly budget: number;
  readonly seed: number;
}

/** Results. */
export interface ThinkingResult {
  /** Mean return of the tasks as a score: random agent 0, optimum 1. */
  readonly score: number;
  /** Steps that were really spent on a task, simulated ones included. */
  readonly steps: number;
}

const TASKS = 10;
const references = new Map<ThinkingWorld, { readonly random: number; readonly optimal: number }>();

function referenceOf(world: ThinkingWorld, env: Env): { readonly random: number; readonly optimal: number } {
  let known = references.get(world);
  if (!known) references.set(world, (known = { random: randomReturn(env), optimal: optimalReturn(env).J }));
  return known;
}

/** Plays ten tasks with a budget of steps for each; a search has an equal share of it for each turn that an episode may have. */
export function thinkOrTry({ world, thinker, budget, seed }: ThinkingJob): ThinkingResult {
  const env = make(world);
  const played = thinker === thinkers[0] ? attempts(env, budget, seed) : thoughts(env, thinker, budget, seed);
  return { score: score(played.mean, referenceOf(world, env)), steps: played.steps };
}

interface Played {
  readonly mean: number;
  readonly steps: number;
}

/** Attempts of the random agent until the steps are spent; the last one is played to its end. */
function attempts(env: Env, budget: number, seed: number): Played {
  const policy = createPolicy(env.spec);
  const rng = createRng(seed).split("attempts");
  let sum = 0;
  let steps = 0;
  for (let task = 0; task < TASKS; task++) {
    let best = -Infinity;
    let spent = 0;
    for (let part = 0; spent < budget; part++) {
      // The same generator of starts for each part: all attempts are at one task.
      const batch = collect(env, policy, {
        groups: 1,
        groupSize: 50 * (part + 1),
        rng: rng.split("task", task),
      });
      for (let n = 50 * part; n < batch.shape[0] && spent < budget; n++) {
        spent += batch.turnCount_n[n]!;
        best = Math.max(best, batch.return_n[n]!);
      }
    }
    sum += best;
    steps += spent;
  }
  return { mean: sum / TASKS, steps: steps / TASKS };
}

function thoughts(env: Env, thinker: Thinker, budget: number, seed: number): Played {
  const share = Math.max(1, Math.floor(budget / env.spec.maxTurns) - 1);
  const o = { simulator: beliefSimulator(env), budget: share };
  const search = thinker === "tree search" ? mcts(o) : ucb1(o);
  const { mean, realSteps, simulatedSteps } = playSearch(env, search, { episodes: TASKS, seed });
  return { mean, steps: (realSteps + simulatedSteps) / TASKS };
}

/**
 * `thinkOrTry` as a job of a sweep.
 *
 * @public
 */
export function thinkingJob(job: ThinkingJob): Promise<ThinkingResult> {
  return Promise.resolve(thinkOrTry(job));
}
