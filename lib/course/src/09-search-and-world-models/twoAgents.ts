import { createRng } from "turnwise/internal/base/rng";
import type { Batch } from "turnwise/internal/batch/batch";
import { concatBatches, selectTrajectories } from "turnwise/internal/batch/select";
import { lookUp, type Env, type EnumerableEnv } from "turnwise/internal/env/index";
import { GameEnv } from "turnwise/internal/env/game";
import { enumerateReturn } from "turnwise/internal/exact/index";
import { createPolicy } from "turnwise/internal/policy/create";
import type { Policy } from "turnwise/internal/policy/policy";
import { collect } from "turnwise/internal/rollout/collect";
import { recipe, tokenCredit } from "turnwise/internal/rule/index";
import { createOptimizer } from "turnwise/internal/train/index";
import { shortChain } from "./shapleyRun";

/** Worlds that pay 1 or 0, so that two attempts at a task succeed with a chance that can be computed. */
export const pairWorlds = Object.freeze({
  LookUp: (): EnumerableEnv => lookUp({ wrongPenalty: 0 }),
  ToolChain: (): EnumerableEnv => shortChain(),
} as const);

/** Sharing of the samples: two agents that begin with different habits, two with the same, or one agent that has them all. */
export const pairArms = Object.freeze(["two different agents", "two equal agents", "one agent"] as const);

/** One training of a pair, or of the one. */
export interface PairJob {
  readonly world: keyof typeof pairWorlds;
  readonly arm: (typeof pairArms)[number];
  readonly seed: number;
}

/** Results, exact. */
export interface PairResult {
  /** Chance that one of two attempts succeeds: one attempt of each agent, or two of the one. */
  readonly either: number;
  /** Chance of a single attempt, mean over the agents. */
  readonly single: number;
}

const GROUPS = 8;
const GROUP = 8;
const UPDATES = 100;

/**
 * Trains agents on 64 episodes an update, in groups of eight at one task: eight of one agent, or four of each of two.
 *
 * The baseline is that of the whole group, so that agents learn from each other's success and each only from its own episodes, as in
 * MARS2, arXiv 2602.07848 [S], without its tree search: habits are logits that are drawn with a standard deviation of 2.
 */
export function pairRun({ world, arm, seed }: PairJob): PairResult {
  const env = pairWorlds[world]();
  const rule = recipe("rloo", { update: { optimizer: { kind: "adam", learningRate: 0.1 } } });
  const habits = arm === "one agent" ? [0] : arm === "two equal agents" ? [0, 0] : [0, 1];
  const agents = habits.map((habit) => ({
    policy: createPolicy(env.spec, { memory: "turnObservation", initialScale: 2, seed: 2 * seed + habit }),
    optimizer: createOptimizer(rule.update.optimizer),
  }));
  const share = GROUP / agents.length;
  const rng = createRng(seed).split("pair");
  for (let update = 0; update < UPDATES; update++) {
    const draws = rng.split("update", update);
    const own = agents.map(({ policy }, i) => {
      const batch = collect(env, policy, { groups: GROUPS, groupSize: GROUP, rng: draws });
      return selectTrajectories(batch, membersOf(batch, i * share, share));
    });
    const credit = tokenCredit(concatBatches(own), rule);
    let first = 0;
    agents.forEach(({ policy, optimizer }, i) => {
      const cells = own[i]!.mask_ntl.length;
      const dLogProb_ntl = credit.slice(first, first + cells).map((x) => -x);
      first += cells;
      optimizer.step(policy.parameters, policy.backward(own[i]!, { dLogProb_ntl }));
    });
  }
  const chances = agents.map(({ policy }) => chanceByTask(env, policy));
  const [one, other = one!] = chances as [Float64Array, Float64Array?];
  const mean = (of: (p: number, q: number) => number): number =>
    one.reduce((sum, p, i) => sum + of(p, other[i]!), 0) / one.length;
  return { either: mean((p, q) => 1 - (1 - p) * (1 - q)), single: mean((p, q) => (p + q) / 2) };
}

/** Rows of the members from `first` on, so many of each group: agents share tasks and not their draws. */
function membersOf({ trajectoryId }: Batch, first: number, count: number): number[] {
  return trajectoryId.flatMap((id, n) => {
    const member = Number(id.split(".")[1]);
    return member >= first && member < first + count ? [n] : [];
  });
}

/** The exact chance of success at each task. */
function chanceByTask(env: EnumerableEnv, policy: Policy): Float64Array {
  return Float64Array.from(env.start(), (start) => {
    const alone: Env = new GameEnv({
      spec: env.spec,
      start: () => [{ ...start, probability: 1 }],
      transition: (state, action) => env.transition(state, action),
      render: () => "",
    });
    return enumerateReturn(alone, policy, { gradient: false }).J;
  });
}

/**
 * `pairRun` as a job of a sweep.
 *
 * @public
 */
export function pairJob(job: PairJob): Promise<PairResult> {
  return Promise.resolve(pairRun(job));
}
