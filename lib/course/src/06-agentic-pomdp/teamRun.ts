import { make, Wrapper, type Env, type EnvSpec } from "turnwise/internal/env/index";
import { enumerateReturn, optimalReturn, randomReturn, score } from "turnwise/internal/exact/index";
import { mean } from "turnwise/internal/base/statistics";
import type { PolicyOptions } from "turnwise/internal/policy/index";
import { recipe, type Recipe, type RecipeOverrides } from "turnwise/internal/rule/index";
import { train } from "turnwise/internal/train/index";
import type { JobContext } from "turnwise/internal/sweep/job";

interface TeamWorld {
  readonly id: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly policy: PolicyOptions;
  readonly updates: number;
  /** The rule that is made for such worlds. */
  readonly rule: "drMas" | "hiper";
}

const scoutAndOpener = {
  id: "HandOver-v0",
  policy: { memory: "turnObservation" },
  updates: 100,
  rule: "drMas",
} as const;
const managerAndWorker = {
  id: "SubGoals-v0",
  policy: { memory: "turnObservation", syntaxPrior: 3 },
  updates: 200,
  rule: "hiper",
} as const;

/** Worlds in which several take part in one episode: two agents with a part each, or a manager and a worker. */
export const teamWorlds = Object.freeze({
  "hand over, 3 tries": { ...scoutAndOpener, options: {} },
  "hand over, 8 tries": { ...scoutAndOpener, options: { tries: 8 } },
  "hand over, 2 doors": { ...scoutAndOpener, options: { doors: 2, tries: 2 } },
  "subgoals, 6 turns": { ...managerAndWorker, options: {} },
} satisfies Readonly<Record<string, TeamWorld>>);

/** A world of `teamWorlds`. */
export type TeamWorldName = keyof typeof teamWorlds;

/** Change that an arm makes, and the world's reports. */
export interface TeamArm {
  /** Changes of the world's rule: its advantage, and nothing else. */
  readonly cells: RecipeOverrides;
  /** Whether the world tells who takes a turn, or which word decides what. */
  readonly marked: boolean;
}

const overTurns = { kind: "gae", level: "turn", gamma: 0.95, lambda: 0.95 } as const;

/**
 * The rules that are compared: the rule of the paper, then the plain rules that differ from it in the advantage alone. Where
 * HiPER whitens by role, they whiten over the batch; where it does not, nor do they.
 */
export const teamArms = Object.freeze({
  drMas: {
    "a baseline for each agent": { cells: {}, marked: true },
    "one baseline over all turns": { cells: {}, marked: false },
    "one baseline over trajectories": {
      cells: { advantage: { kind: "mean", groupBy: "task" } },
      marked: true,
    },
  },
  hiper: {
    "segments and roles": { cells: {}, marked: true },
    "GAE over turns": { cells: { advantage: overTurns, scale: "batch" }, marked: true },
    "GAE over tokens": {
      cells: { advantage: { kind: "gae", level: "token" }, scale: "batch" },
      marked: true,
    },
    "segments and roles, not whitened": { cells: { advantage: { whitenRoles: false } }, marked: true },
    "GAE over turns, not whitened": { cells: { advantage: overTurns, scale: "none" }, marked: true },
  },
} satisfies Readonly<Record<TeamWorld["rule"], Readonly<Record<string, TeamArm>>>>);

/**
 * Of Adam, for every arm alike.
 *
 * @public
 */
export const teamLearningRates = Object.freeze([0.01, 0.03, 0.1] as const);

/** One training run. */
export interface TeamJob {
  readonly world: TeamWorldName;
  readonly arm: string;
  readonly learningRate: number;
  readonly seed: number;
}

/** Result, from the random agent (0) to the optimum (1). */
export interface TeamResult {
  /** Score of the trained policy, exact. */
  readonly final: number;
  /** Score of the sampled returns, mean over all updates: the area under the learning curve. */
  readonly average: number;
  readonly samples: number;
  readonly optimizerSteps: number;
}

/** A world that does not tell who takes a turn, nor which word decides what. */
class Unmarked extends Wrapper {
  override get spec(): EnvSpec {
    const { agents: _agents, roles: _roles, ...spec } = this.inner.spec;
    return spec;
  }

  protected override rewrap(inner: Env): Env {
    return new Unmarked(inner);
  }
}

/** The world of an arm. */
export function teamEnv(world: TeamWorldName, marked = true): Env {
  const env = make(teamWorlds[world].id, teamWorlds[world].options);
  return marked ? env : new Unmarked(env);
}

/**
 * The rule of an arm, with Adam at a learning rate.
 *
 * @throws {RangeError} if the world's rule has no such arm
 */
export function teamRecipe(world: TeamWorldName, arm: string, learningRate: number): Recipe {
  const { rule } = teamWorlds[world];
  return recipe(rule, {
    ...armOf(world, arm).cells,
    update: { optimizer: { kind: "adam", learningRate } },
  });
}

function armOf(world: TeamWorldName, name: string): TeamArm {
  const arms: Readonly<Record<string, TeamArm>> = teamArms[teamWorlds[world].rule];
  const arm = arms[name];
  if (arm) return arm;
  throw new RangeError(
    `Cannot train a team: its arm must be one of ${Object.keys(arms).join(", ")}, got "${name}".`,
  );
}

const references = new Map<TeamWorldName, { readonly random: number; readonly optimal: number }>();

function referenceOf(world: TeamWorldName): { readonly random: number; readonly optimal: number } {
  let known = references.get(world);
  if (!known) {
    const env = teamEnv(world);
    known = { random: randomReturn(env), optimal: optimalReturn(env).J };
    references.set(world, known);
  }
  return known;
}

/**
 * Trains an arm in its world with 8 groups of 8 per update: equal samples and optimizer steps for all arms.
 *
 * @see Dr. MAS, arXiv 2602.08847, and HiPER, arXiv 2602.16165
 * @throws {RangeError} if the world's rule has no such arm
 */
export async function teamRun(
  { world, arm, learningRate, seed }: TeamJob,
  report: (fraction: number) => void = () => undefined,
): Promise<TeamResult> {
  const { policy, updates } = teamWorlds[world];
  const env = teamEnv(world, armOf(world, arm).marked);
  const run = train({ env, policy, recipe: teamRecipe(world, arm, learningRate), updates, seed });
  const returns: number[] = [];
  let last = { samples: 0, optimizerSteps: 0 };
  for await (const record of run) {
    returns.push(record.metrics["reward/mean"]!);
    last = record;
    report(record.update / updates);
  }
  const { J } = enumerateReturn(env, run.policy, { gradient: false });
  return {
    final: score(J, referenceOf(world)),
    average: score(mean(returns), referenceOf(world)),
    samples: last.samples,
    optimizerSteps: last.optimizerSteps,
  };
}

/**
 * `teamRun` as a job of a sweep.
 *
 * @public
 */
export function teamJob(job: TeamJob, { report }: JobContext): Promise<TeamResult> {
  return teamRun(job, report);
}
