import { createRng } from "turnwise/internal/base/rng";
import { calculatorTasks, curriculum, make, type Env } from "turnwise/internal/env/index";
import { createPolicy, type Policy } from "turnwise/internal/policy/index";
import type { TabularOptions } from "turnwise/internal/policy/options";
import { collect } from "turnwise/internal/rollout/index";
import { recipe, type Recipe } from "turnwise/internal/rule/index";
import type { JobContext } from "turnwise/internal/sweep/job";
import { train } from "turnwise/internal/train/index";
import { verdictsOf } from "turnwise/internal/train/stepReward/verdicts";
import { judgedMaze } from "./judgedMaze";
import { TaskPool } from "./taskPool";

/** The parts of RLAnything that a run has: votes on turns, judges that learn, tasks that are rewritten. */
interface Parts {
  readonly votes: boolean;
  readonly learns: boolean;
  readonly adapts: boolean;
}

/** All parts, all but one, and none. Without votes there is no judge that could learn. */
export const anythingArms = Object.freeze({
  "all parts": { votes: true, learns: true, adapts: true },
  "no votes": { votes: false, learns: false, adapts: true },
  "judge fixed": { votes: true, learns: false, adapts: true },
  "tasks fixed": { votes: true, learns: true, adapts: false },
  "outcome alone": { votes: false, learns: false, adapts: false },
} satisfies Readonly<Record<string, Parts>>);
/** The name of an arm. */
export type AnythingArm = keyof typeof anythingArms;

interface Levels {
  readonly worlds: () => Env[];
  readonly policy: TabularOptions;
  readonly budget: { readonly steps: number; readonly optimizer: number };
}

const TASKS = 48;

/** Worlds whose options are levels of difficulty, from the easiest on. */
export const anythingWorlds = Object.freeze({
  "Calculator-v0": {
    worlds: () => {
      const tasks = [1, 2, 3].flatMap((level) => calculatorTasks(level, TASKS));
      return [1, 2, 3].map((drawLevel) => make("Calculator-v0", { tasks, drawLevel }));
    },
    policy: { memory: "turnObservation", syntaxPrior: 3 },
    budget: { steps: 20_000, optimizer: 720 },
  },
  "TMaze-v0": {
    worlds: () => [2, 4, 6, 8, 10, 12].map((length) => judgedMaze(length)),
    policy: {},
    budget: { steps: 45_000, optimizer: 360 },
  },
} satisfies Readonly<Record<string, Levels>>);
/** The name of a world. */
export type AnythingWorld = keyof typeof anythingWorlds;

/** One training run. */
export interface AnythingJob {
  readonly world: AnythingWorld;
  readonly arm: AnythingArm;
  readonly seed: number;
  /** Which share of the world's budgets it has; default 1. */
  readonly share?: number;
}

/** Result of a training run, at two budgets in which all arms are alike. */
export interface AnythingResult {
  /** Success over the tasks that the run began with, all levels alike, after a number of environment steps. */
  readonly bySteps: number;
  /** The same after a number of optimizer steps. */
  readonly byOptimiser: number;
  /** Success on each level, after the optimizer steps. */
  readonly levels: readonly number[];
  /** Share of votes that are right, in the last tenth of the optimizer steps; 0 without votes. */
  readonly judge: number;
  /** Mean level of the tasks after the optimizer steps. */
  readonly level: number;
  /** Environment steps that the optimizer steps took. */
  readonly steps: number;
}

const [GROUPS, MEMBERS, SLOTS, EPISODES] = [8, 8, 24, 100];
/** An update without a group whose members differ takes no optimizer step, so a run may take more updates than another. */
const MOST_UPDATES = 2000;
/** Error of a vote before anything is learned, and learning rate of a judge. */
const [ERROR, LEARNING_RATE] = [0.2, 1];

/** The rule of an arm. */
export function anythingRow(arm: AnythingArm): Recipe {
  const { votes, learns } = anythingArms[arm];
  if (!votes) return recipe("rlAnything", { reward: { step: "none" } });
  const step = { kind: "vote", error: ERROR, learningRate: learns ? LEARNING_RATE : 0 } as const;
  return recipe("rlAnything", { reward: { step } });
}

/**
 * Trains on 24 tasks, 8 groups of 8 an update, until both budgets are spent, and tries the policy out when each of them is.
 *
 * Candidates are learned from whether they are kept or not, so that no arm throws samples away; the paper's code drops the others.
 */
export async function anythingRun(
  { world, arm, seed, share = 1 }: AnythingJob,
  report: (fraction: number) => void = () => undefined,
): Promise<AnythingResult> {
  const { worlds, policy, budget } = anythingWorlds[world];
  const levels = worlds();
  const pool = new TaskPool({ levels: levels.length, slots: SLOTS, adapts: anythingArms[arm].adapts });
  const env = curriculum(
    Array.from({ length: pool.levels }, (_, i) => levels[i % levels.length]!),
    pool,
  );
  const run = train({
    env,
    policy: createPolicy(env.spec, policy),
    recipe: anythingRow(arm),
    groups: GROUPS,
    groupSize: MEMBERS,
    updates: MOST_UPDATES,
    seed,
  });
  const most = { steps: share * budget.steps, optimizer: share * budget.optimizer };
  const spent = { steps: 0, optimizer: 0 };
  const votes = { right: 0, all: 0 };
  run.witness = {
    sampled: () => undefined,
    prepared: ({ batch }) => {
      if (spent.optimizer < 0.9 * most.optimizer || spent.optimizer >= most.optimizer) return;
      verdictsOf(batch).forEach((verdict, nt) => {
        if (verdict === undefined || verdict === 0) return;
        votes.all += 1;
        votes.right += (1 + verdict * (batch.step_nt?.[nt] ?? 0)) / 2;
      });
    },
    stepped: () => undefined,
  };
  const look = (): number[] => levels.map((one, l) => successOf(one, run.policy, seed, l));
  let bySteps: number | undefined;
  let found: Pick<AnythingResult, "byOptimiser" | "levels" | "level" | "steps"> | undefined;
  for await (const { metrics, optimizerSteps } of run) {
    spent.steps += metrics["turns/mean"]! * GROUPS * MEMBERS;
    spent.optimizer = optimizerSteps;
    report(Math.min(1, spent.steps / most.steps, spent.optimizer / most.optimizer));
    if (bySteps === undefined && spent.steps >= most.steps) bySteps = meanOf(look());
    if (found === undefined && spent.optimizer >= most.optimizer) {
      const solved = look();
      found = {
        byOptimiser: meanOf(solved),
        levels: solved,
        level: meanOf(pool.accepted),
        steps: spent.steps,
      };
    }
    if (bySteps !== undefined && found !== undefined) break;
  }
  if (bySteps === undefined || found === undefined) {
    throw new RangeError(
      `Cannot compare arms at equal budgets: a run must spend both within ${MOST_UPDATES} updates, ` +
        `but ${arm} in ${world}, seed ${seed}, took ${spent.optimizer} optimizer steps.`,
    );
  }
  const judge = anythingArms[arm].votes && votes.all > 0 ? votes.right / votes.all : 0;
  return { bySteps, ...found, judge };
}

function successOf(env: Env, policy: Policy, seed: number, level: number): number {
  const rng = createRng(seed).split("anythingRun", level);
  const { info_nt } = collect(env, policy.clone(), { groups: EPISODES, groupSize: 1, rng });
  return meanOf(info_nt!.map((turns) => Number(turns.at(-1)?.["success"] === true)));
}

const meanOf = (values: readonly number[]): number => values.reduce((sum, x) => sum + x, 0) / values.length;

/**
 * `anythingRun` as a job of a sweep.
 *
 * @public
 */
export function anythingJob(job: AnythingJob, { report }: JobContext): Promise<AnythingResult> {
  return anythingRun(job, report);
}
