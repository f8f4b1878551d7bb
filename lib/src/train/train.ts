import { make } from "../env";
import type { Env } from "../env/env";
import { enumerateReturn } from "../exact/enumerateReturn";
import type { Metrics } from "../base/glossary";
import type { Policy, PolicyState } from "../policy/policy";
import { createPolicy, type PolicyOptions } from "../policy/create";
import { recipe as recipeOf, recipeNeeds, type Recipe, type RecipeName } from "../rule";
import { createRng, restoreRng, type Rng } from "../base/rng";
import {
  expectCheckpoint,
  type Checkpoint,
  type CheckpointSettings,
  type RetrievedTokens,
} from "./checkpoint";
import { evaluatePolicy } from "./evaluate";
import { Learner } from "./learner";
import { createOptimiser, type Optimiser, type OptimiserState } from "./optimiser";
import type { TrainRecord } from "./records";

export interface TrainOptions {
  /** An id that `make` knows, or an environment. With `resume`, the default is the checkpoint's own environment. */
  readonly env?: string | Env;
  readonly envOptions?: Readonly<Record<string, unknown>>;
  /**
   * A policy, which training changes in place, or the options of a new one, whose seed is `seed` unless they give
   * another. Default: a table, uniform at the start.
   */
  readonly policy?: Policy | PolicyOptions;
  readonly recipe?: Recipe | RecipeName;
  /** Stop after this many updates, counted from the very first one, also after `resume`. */
  readonly updates: number;
  /** P: start states per update. Default 8. */
  readonly groups?: number;
  /** G: trajectories per start state. Default 8. */
  readonly groupSize?: number;
  readonly seed?: number;
  readonly temperature?: number;
  /**
   * How far the log-probs of the rollout engine and the trainer disagree: noise on the stored log-probs, in nats, with
   * the heavy tail of `withMismatch`. Default 0.
   */
  readonly logProbNoise?: number;
  /**
   * `trained` takes the mask off the environment's answers: they get the advantage of their trajectory, as in a trainer
   * that forgot the mask. It needs a rule that credits whole trajectories and updates all turns at once, and a policy
   * whose context is the tokens so far. Default `masked`.
   */
  readonly retrieved?: RetrievedTokens;
  /**
   * Enumerates the expected return after every so many updates (true: after each) and adds it as `return/exact`.
   * Only for environments small enough to enumerate.
   */
  readonly evaluateExact?: boolean | number;
  /**
   * Plays evaluation episodes, with seeds of their own, after every so many updates and adds the `eval/` metrics.
   * All other metrics stay those of a run without evaluation. Default 0, never.
   */
  readonly evalEvery?: number;
  /** Episodes per evaluation, the same ones every time. Default 256. */
  readonly evalEpisodes?: number;
  /** Evaluate with the likeliest token instead of a drawn one. Default false. */
  readonly evalGreedy?: boolean;
  readonly signal?: AbortSignal;
  /** Continue from a checkpoint. Only `updates`, `signal` and a matching `env` and `policy` may come with it. */
  readonly resume?: Checkpoint;
}

export type StopReason = "finished" | "aborted" | "returned" | "failed";

const BREATHE_MS = 12;

/**
 * A training run: an async generator of records that holds its policy and can be checkpointed between updates.
 *
 * It yields to the event loop every few milliseconds, so that a notebook stays responsive.
 */
export class TrainRun implements AsyncGenerator<TrainRecord, undefined, undefined> {
  readonly env: Env;
  readonly policy: Policy;
  readonly recipe: Recipe;
  /** Why the run has ended; undefined while it has not. */
  stopReason: StopReason | undefined;
  readonly #o: Required<Pick<TrainOptions, "updates"> & CheckpointSettings>;
  readonly #signal: AbortSignal | undefined;
  readonly #rng: Rng;
  readonly #optimiser: Optimiser;
  readonly #reference: Policy | null;
  readonly #learner: Learner;
  #update = 0;
  #samples = 0;
  #optimizerSteps = 0;
  #milliseconds = 0;
  #lastBreath = 0;
  #lastGood: Checkpoint | undefined;

  constructor(options: TrainOptions) {
    const resume = options.resume && expectCheckpoint(options.resume);
    if (resume) refuseWithResume(options);
    this.env = environmentOf(options, resume);
    this.recipe = resume?.recipe ?? recipeFrom(options.recipe);
    this.policy = policyOf(options, this.env, this.recipe);
    const settings = resume?.settings;
    this.#o = {
      updates: expectWhole("updates", options.updates, 0),
      groups: expectWhole("groups", settings?.groups ?? options.groups ?? 8, 1),
      groupSize: expectWhole("groupSize", settings?.groupSize ?? options.groupSize ?? 8, 1),
      temperature: settings?.temperature ?? options.temperature ?? 1,
      logProbNoise: expectNoise(settings?.logProbNoise ?? options.logProbNoise ?? 0),
      retrieved: expectRetrieved(settings?.retrieved ?? options.retrieved ?? "masked", this.recipe),
      evaluateExact: settings?.evaluateExact ?? Number(options.evaluateExact ?? 0),
      evalEvery: expectWhole("evalEvery", settings?.evalEvery ?? options.evalEvery ?? 0, 0),
      evalEpisodes: expectWhole("evalEpisodes", settings?.evalEpisodes ?? options.evalEpisodes ?? 256, 1),
      evalGreedy: settings?.evalGreedy ?? options.evalGreedy ?? false,
    };
    if (!resume) refuseIdleEvaluation(options);
    this.#signal = options.signal;
    this.#rng = resume ? restoreRng(resume.rng) : createRng(options.seed ?? 0).split("train");
    this.#optimiser = createOptimiser(this.recipe.update.optimiser);
    if (resume) {
      this.policy.restore(resume.policy);
      this.#optimiser.restore(resume.optimiser);
      this.#update = resume.update;
      this.#samples = resume.samples;
      this.#optimizerSteps = resume.optimizerSteps;
      restoreEnv(this.env, resume);
    }
    this.#reference = recipeNeeds(this.recipe).reference ? this.policy.clone() : null;
    if (resume?.reference) this.#reference?.restore(resume.reference);
    this.#learner = new Learner({
      env: this.env,
      policy: this.policy,
      recipe: this.recipe,
      optimiser: this.#optimiser,
      reference: this.#reference,
      groups: this.#o.groups,
      groupSize: this.#o.groupSize,
      temperature: this.#o.temperature,
      logProbNoise: this.#o.logProbNoise,
      retrieved: this.#o.retrieved,
    });
  }

  /** The number of updates after which the run is finished, counted from the very first one. */
  get updates(): number {
    return this.#o.updates;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<TrainRecord, undefined>> {
    if (this.stopReason) return { done: true, value: undefined };
    if (this.#update >= this.#o.updates) return this.#stop("finished");
    await this.#breathe();
    if (this.#signal?.aborted) return this.#stop("aborted");
    if (this.stopReason) return { done: true, value: undefined };
    const before = this.#snapshot();
    const started = performance.now();
    try {
      const record = this.#oneUpdate(started);
      return { done: false, value: record };
    } catch (error) {
      // A failed update may have moved parameters: go back to the state before it.
      this.policy.restore(before.policy);
      this.#optimiser.restore(before.optimiser);
      if (before.env !== undefined) this.env.restore?.(before.env);
      this.#lastGood = this.#capture();
      this.stopReason = "failed";
      throw error;
    }
  }

  /** Called by `break`. The state is kept: `checkpoint()` still works. */
  return(): Promise<IteratorResult<TrainRecord, undefined>> {
    return Promise.resolve(this.#stop("returned"));
  }

  throw(error: unknown): Promise<IteratorResult<TrainRecord, undefined>> {
    this.stopReason ??= "failed";
    return Promise.reject(error instanceof Error ? error : new Error(String(error)));
  }

  /** Everything that the next update depends on; after a failed update, the state before that update. */
  checkpoint(): Checkpoint {
    return this.#lastGood ?? this.#capture();
  }

  #oneUpdate(started: number): TrainRecord {
    const index = this.#update + 1;
    const result = this.#learner.update(index, this.#rng.split("update", index));
    this.env.afterUpdate?.();
    const metrics = { ...result.metrics, ...this.#evaluate(index) };
    this.#update = index;
    this.#samples += result.samples;
    this.#optimizerSteps += result.optimizerSteps;
    this.#milliseconds += performance.now() - started;
    return {
      update: index,
      samples: this.#samples,
      optimizerSteps: this.#optimizerSteps,
      seconds: this.#milliseconds / 1000,
      metrics,
    };
  }

  #evaluate(index: number): Metrics {
    const { evaluateExact, evalEvery, evalEpisodes, evalGreedy } = this.#o;
    const due = (every: number): boolean => every > 0 && index % every === 0;
    const exact = due(evaluateExact) && enumerateReturn(this.env, this.policy, { gradient: false }).J;
    // Splitting does not advance the training stream, and gives every evaluation the same episodes.
    const rng = this.#rng.split("evaluation");
    return {
      ...(exact !== false && { "return/exact": exact }),
      ...(due(evalEvery) &&
        evaluatePolicy(this.env, this.policy, { episodes: evalEpisodes, greedy: evalGreedy, rng })),
    };
  }

  /** The state to go back to if the update fails. */
  #snapshot(): { policy: PolicyState; optimiser: OptimiserState; env: unknown } {
    const policy = this.policy.snapshot?.() ?? this.policy.state();
    return { policy, optimiser: this.#optimiser.snapshot(), env: this.env.state?.() };
  }

  #capture(): Checkpoint {
    const { updates: _updates, ...settings } = this.#o;
    const envState = this.env.state?.();
    return {
      format: "turnwise-checkpoint",
      version: 1,
      env: { id: this.env.spec.id, options: this.env.spec.options },
      recipe: this.recipe,
      settings,
      rng: this.#rng.state(),
      update: this.#update,
      samples: this.#samples,
      optimizerSteps: this.#optimizerSteps,
      policy: this.policy.state(),
      reference: this.#reference?.state() ?? null,
      optimiser: this.#optimiser.state(),
      ...(envState !== undefined && { envState }),
    };
  }

  async #breathe(): Promise<void> {
    if (performance.now() - this.#lastBreath < BREATHE_MS) return;
    await new Promise((resolve) =>
      typeof setImmediate === "function" ? setImmediate(resolve) : setTimeout(resolve, 0),
    );
    this.#lastBreath = performance.now();
  }

  #stop(reason: StopReason): IteratorReturnResult<undefined> {
    this.stopReason ??= reason;
    return { done: true, value: undefined };
  }
}

/**
 * Trains a policy and yields one record per update.
 *
 * Stop it with `break` or an `AbortSignal`. Nothing is lost: pass `run.checkpoint()` as `resume` to another call, and it
 * yields the records that this one would have yielded.
 *
 * @throws {TypeError} if an option is missing, has the wrong type or does not fit the others; before any work is done
 * @throws {RangeError} if an option is out of range or would be ignored; before any work is done
 * @throws {NonFiniteError} if a loss or gradient is not finite; from the generator, at the update where it happens
 * @example
 * import { train } from "turnwise";
 * const run = train({ env: "LookUp-v0", recipe: "grpo", updates: 100, seed: 1, evaluateExact: true });
 * for await (const { update, metrics } of run) {
 *   console.log(update, metrics["reward/mean"]);
 *   if (metrics["return/exact"]! > 0.95) break;
 * }
 */
export function train(options: TrainOptions): TrainRun {
  return new TrainRun(options);
}

function expectNoise(value: number): number {
  if (value >= 0 && Number.isFinite(value)) return value;
  throw new RangeError(`Cannot train as logProbNoise must be >= 0 and finite: current value is ${value}`);
}

function expectRetrieved(value: RetrievedTokens, recipe: Recipe): RetrievedTokens {
  if (value === "masked") return value;
  if (value !== "trained") {
    throw new RangeError(
      `Cannot train as retrieved must be "masked" or "trained": current value is "${String(value)}"`,
    );
  }
  const { advantage, order } = recipe;
  const wholeTrajectory = ["return", "mean", "leaveOneOut"].includes(advantage.kind);
  if (wholeTrajectory && order.kind === "simultaneous") return value;
  throw new RangeError(
    `Cannot train on retrieved tokens as the rule must credit whole trajectories and update all turns at once: ` +
      `current advantage is ${advantage.kind}, current order ${order.kind}`,
  );
}

function expectWhole(name: string, value: number, low: number): number {
  if (Number.isInteger(value) && value >= low) return value;
  throw new RangeError(`Cannot train as ${name} must be a whole number >= ${low}: current value is ${value}`);
}

function environmentOf(options: TrainOptions, resume: Checkpoint | undefined): Env {
  if (typeof options.env === "object") {
    if (options.envOptions) {
      throw new TypeError("Cannot train as envOptions must come with an id: env is already an environment");
    }
    return options.env;
  }
  const id = options.env ?? resume?.env.id;
  if (id === undefined)
    throw new TypeError("Cannot train as env must be an id or an environment: it is missing");
  return make(id, resume ? resume.env.options : options.envOptions);
}

function recipeFrom(given: Recipe | RecipeName | undefined): Recipe {
  if (given === undefined) {
    throw new TypeError("Cannot train as recipe must be a recipe or the name of one: it is missing");
  }
  return typeof given === "string" ? recipeOf(given) : given;
}

function policyOf(options: TrainOptions, env: Env, recipe: Recipe): Policy {
  const given = options.policy;
  if (given && "sample" in given) return given;
  return createPolicy(env.spec, {
    valueHead: recipeNeeds(recipe).value,
    seed: options.seed ?? 0,
    ...given,
  });
}

function refuseIdleEvaluation({ evalEvery = 0, evalEpisodes, evalGreedy }: TrainOptions): void {
  if (evalEvery > 0 || (evalEpisodes === undefined && evalGreedy === undefined)) return;
  throw new RangeError(
    `Cannot train as evalEpisodes and evalGreedy must come with evalEvery >= 1: current value is ${evalEvery}`,
  );
}

function restoreEnv(env: Env, { envState }: Checkpoint): void {
  if (envState === undefined) return;
  if (!env.restore) {
    throw new TypeError(
      `Cannot resume as env must be the curriculum that was trained: the checkpoint holds its state, and ${env.spec.id} takes none`,
    );
  }
  env.restore(envState);
}

function refuseWithResume(options: TrainOptions): void {
  const fixed = [
    "recipe",
    "envOptions",
    "groups",
    "groupSize",
    "seed",
    "temperature",
    "logProbNoise",
    "retrieved",
    "evaluateExact",
    "evalEvery",
    "evalEpisodes",
    "evalGreedy",
  ] as const;
  const given = fixed.filter((key) => options[key] !== undefined);
  if (given.length === 0) return;
  throw new TypeError(
    `Cannot resume as the checkpoint fixes ${given.join(", ")}: leave ${given.length > 1 ? "them" : "it"} out`,
  );
}
