import { make, type Env } from "turnwise/internal/env/index";
import { enumerateReturn, optimalReturn, randomReturn, score } from "turnwise/internal/exact/index";
import type { PolicyOptions } from "turnwise/internal/policy/index";
import { recipe, type Recipe } from "turnwise/internal/rule/index";
import { hallucinating, type HallucinationOptions } from "turnwise/internal/search/model/index";
import { train } from "turnwise/internal/train/index";
import { dyna } from "turnwise/internal/train/dyna/dyna";
import type { DynaOptions } from "turnwise/internal/train/dyna/options";

interface ModeledWorld {
  readonly id: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly policy: PolicyOptions;
}

/** The worlds that are simulated: a tool that tells a fact, a hint to be remembered, and two agents with a part each. */
export const modeledWorlds = Object.freeze({
  LookUp: { id: "LookUp-v0", options: {}, policy: {} },
  TMaze: { id: "TMaze-v0", options: { length: 2 }, policy: {} },
  HandOver: { id: "HandOver-v0", options: {}, policy: { memory: "turnObservation" } },
} satisfies Readonly<Record<string, ModeledWorld>>);

/** A world of `modeledWorlds`. */
export type ModeledWorldName = keyof typeof modeledWorlds;

/** Errors of a simulator: in observations or in rewards, independent each time or by fixed beliefs. */
export const simulatorErrors = Object.freeze({
  "observation, anew": { of: "observation", fixed: false },
  "reward, anew": { of: "reward", fixed: false },
  "observation, fixed": { of: "observation", fixed: true },
  "reward, fixed": { of: "reward", fixed: true },
} as const);

/** One of `simulatorErrors`. */
export type SimulatorError = keyof typeof simulatorErrors;

/** The rates of made-up replies that are tried; 0 is the world itself, which runs as code. */
export const simulatorRates = Object.freeze([0, 0.05, 0.1, 0.2, 0.3, 0.5] as const);

/** One training run in a simulator. */
export interface SimulatorJob {
  readonly world: ModeledWorldName;
  readonly error: SimulatorError;
  readonly rate: number;
  readonly seed: number;
}

/** Results: scores from the random agent of the true world, 0, to its optimum, 1. */
export interface SimulatorResult {
  /** In the true world, exact. */
  readonly score: number;
  /** In the simulator, exact, on the same scale: what it promises. */
  readonly promised: number;
}

/** A world, a policy for it and the rule that trains it: RLOO with Adam at .1. */
export function modeled(name: ModeledWorldName): {
  readonly env: Env;
  readonly policy: PolicyOptions;
  readonly recipe: Recipe;
} {
  const { id, options, policy } = modeledWorlds[name];
  const rule = recipe("rloo", { update: { optimizer: { kind: "adam", learningRate: 0.1 } } });
  return { env: make(id, options), policy, recipe: rule };
}

const references = new Map<ModeledWorldName, { readonly random: number; readonly optimal: number }>();

/** A return of a world as a score: random agent 0, optimum 1. */
export function scoreIn(world: ModeledWorldName, J: number): number {
  let known = references.get(world);
  if (!known) {
    const { env } = modeled(world);
    references.set(world, (known = { random: randomReturn(env), optimal: optimalReturn(env).J }));
  }
  return score(J, known);
}

const J = (env: Env, policy: Parameters<typeof enumerateReturn>[1]): number =>
  enumerateReturn(env, policy, { gradient: false }).J;

/** The simulator of a world that errs in this way; each seed has beliefs of its own. */
export function simulatorOf(env: Env, error: SimulatorError, rate: number, seed: number): Env {
  return rate === 0 ? env : hallucinating(env, errorOf(error, rate, seed));
}

function errorOf(error: SimulatorError, rate: number, seed: number): HallucinationOptions {
  const { of, fixed } = simulatorErrors[error];
  return { rate, of, ...(fixed && { beliefs: seed }) };
}

/** Trains 100 updates in a simulator, without a single step in the world, and looks at what that is worth in the world. */
export async function simulatorRun({ world, error, rate, seed }: SimulatorJob): Promise<SimulatorResult> {
  const { env, ...rest } = modeled(world);
  const simulator = simulatorOf(env, error, rate, seed);
  const run = train({ ...rest, env: simulator, updates: 100, seed });
  for await (const _ of run);
  return { score: scoreIn(world, J(env, run.policy)), promised: scoreIn(world, J(simulator, run.policy)) };
}

/** Model with which an agent plans, if at all, after each batch of the world. */
export const dynaArms = Object.freeze({
  "no planning": () => ({ planning: 0 }),
  "the world itself": () => ({ planning: 4, model: { kind: "exact" } }),
  "counts of histories": () => ({ planning: 4, model: { kind: "count" } }),
  "a simulator that errs at .1": (seed) => planningIn("reward, fixed", 0.1, seed),
  "a simulator that errs at .3": (seed) => planningIn("reward, fixed", 0.3, seed),
} satisfies Readonly<Record<string, (seed: number) => Pick<DynaOptions, "planning" | "model">>>);

function planningIn(
  error: SimulatorError,
  rate: number,
  seed: number,
): Pick<DynaOptions, "planning" | "model"> {
  return { planning: 4, model: { kind: "exact", hallucination: errorOf(error, rate, seed) } };
}

/** An arm of `dynaArms`. */
export type DynaArm = keyof typeof dynaArms;

/** The updates on the world after which runs of Dyna are judged. */
export const dynaUpdates = Object.freeze([10, 20, 40] as const);

/** One run of Dyna. */
export interface DynaJob {
  readonly world: ModeledWorldName;
  readonly arm: DynaArm;
  readonly seed: number;
}

/** A run of Dyna after a number of updates on the world. */
export interface DynaPoint {
  readonly update: number;
  readonly realSteps: number;
  readonly modelSteps: number;
  readonly score: number;
  /** Promise of the counts to the policy beyond the world's reward, on the scale of the score; 0 if nothing is counted. */
  readonly optimism: number;
}

/** Dyna with batches of four groups of four: forty updates on the world, and four planned ones after each. */
export async function dynaRun({ world, arm, seed }: DynaJob): Promise<DynaPoint[]> {
  const { env, ...rest } = modeled(world);
  const run = dyna({ ...rest, env, groups: 4, groupSize: 4, updates: 40, seed, ...dynaArms[arm](seed) });
  const points: DynaPoint[] = [];
  for await (const { update, realSteps, modelSteps } of run) {
    if (!dynaUpdates.some((due) => due === update)) continue;
    const own = scoreIn(world, J(env, run.policy));
    const counted = arm === "counts of histories" && run.model;
    const optimism = counted ? scoreIn(world, J(counted.env(), run.policy)) - own : 0;
    points.push({ update, realSteps, modelSteps, score: own, optimism });
  }
  return points;
}

/**
 * `simulatorRun` as a job of a sweep.
 *
 * @public
 */
export function simulatorJob(job: SimulatorJob): Promise<SimulatorResult> {
  return simulatorRun(job);
}

/**
 * `dynaRun` as a job of a sweep.
 *
 * @public
 */
export function dynaJob(job: DynaJob): Promise<DynaPoint[]> {
  return dynaRun(job);
}
