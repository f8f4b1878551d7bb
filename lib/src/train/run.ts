import type { Env } from "../env/env";
import { enumerateReturn } from "../exact/enumerateReturn";
import type { Metrics } from "../base/glossary";
import type { Policy, PolicyState } from "../policy/policy";
import { recipeNeeds, type Recipe } from "../rule";
import { displaySymbol, type MimeBundle } from "../base/display";
import { createRng, restoreRng, type Rng } from "../base/rng";
import { runCard } from "./card";
import { breath } from "./breath";
import type { Checkpoint } from "./checkpoint";
import { computeOf, noteOnCompute } from "./computeKind";
import { evaluatePolicy } from "./evaluate";
import { rolesOf } from "./distil/teacher";
import { Learner } from "./learner";
import { createOptimiser, type Optimiser, type OptimiserState } from "./optimiser";
import { RunHistory } from "./history";
import type { TrainOptions } from "./options";
import type { TrainRecord } from "./records";
import type { EntropyCoefficient } from "../rule/regulariser/entropyTarget";
import type { TrainSettings } from "./settings";
import { restoreEnv, setUp } from "./setUp";
import { StaleSampler } from "./staleness";
import { stepRewarderOf } from "./stepReward";
import type { StepRewarder } from "./stepReward/contract";
import type { Witness } from "./witness";

export type StopReason = "finished" | "aborted" | "returned" | "failed";

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
  /** Said of a run that goes on with another kind of compute than its checkpoint's: its last bits differ from now on. */
  readonly note: string | undefined;
  /** Sees the inside of each update, while there is one. */
  witness: Witness | undefined;
  /** The number of updates after which the run is finished, counted from the very first one. */
  readonly updates: number;
  readonly #settings: TrainSettings;
  readonly #signal: AbortSignal | undefined;
  readonly #rng: Rng;
  readonly #optimiser: Optimiser;
  readonly #reference: Policy | null;
  readonly #demonstrator: Policy | undefined;
  readonly #teacher: string | undefined;
  readonly #stepRewarder: StepRewarder | undefined;
  readonly #stale: StaleSampler;
  readonly #learner: Learner;
  readonly #breathe = breath();
  #update = 0;
  #samples = 0;
  #optimizerSteps = 0;
  #milliseconds = 0;
  #lastGood: Checkpoint | undefined;
  readonly #history = new RunHistory();

  constructor(options: TrainOptions) {
    const { env, policy, recipe, teacher, settings, updates, seed, signal, resume } = setUp(options);
    this.env = env;
    this.policy = policy;
    this.recipe = recipe;
    this.updates = updates;
    this.#settings = settings;
    this.#signal = signal;
    this.#rng = resume ? restoreRng(resume.rng) : createRng(seed).split("train");
    this.#optimiser = createOptimiser(recipe.update.optimiser);
    if (resume) {
      policy.restore(resume.policy);
      this.#optimiser.restore(resume.optimiser);
      this.#update = resume.update;
      this.#samples = resume.samples;
      this.#optimizerSteps = resume.optimizerSteps;
      restoreEnv(env, resume);
      this.note = noteOnCompute(resume.compute, computeOf(policy));
    }
    const roles = rolesOf(recipe);
    this.#reference = recipeNeeds(recipe).reference
      ? ((roles.grades ? teacher : undefined) ?? policy).clone()
      : null;
    this.#teacher = teacher?.name;
    this.#demonstrator = roles.shows ? teacher?.clone() : undefined;
    if (resume?.demonstrator) this.#demonstrator?.restore(resume.demonstrator);
    if (resume?.reference) this.#reference?.restore(resume.reference);
    this.#stepRewarder = stepRewarderOf(recipe, policy);
    if (resume?.stepReward !== undefined) this.#stepRewarder?.restore?.(resume.stepReward);
    this.#stale = new StaleSampler(policy, settings.staleness);
    if (resume?.past) this.#stale.restore(resume.past);
    const { groups, groupSize, temperature, topP, storedLogProb, logProbNoise, retrieved } = settings;
    this.#learner = new Learner({
      env,
      policy,
      recipe,
      optimiser: this.#optimiser,
      reference: this.#reference,
      demonstrator: this.#demonstrator,
      groups,
      groupSize,
      temperature,
      topP,
      storedLogProb,
      sampler: this.#stale.current,
      logProbNoise,
      retrieved,
      stepRewarder: this.#stepRewarder,
    });
    const { bonus } = this.#learner;
    if (bonus.state) bonus.state = resume?.entropy ?? bonus.state;
  }

  /** Itself, for `for await`. */
  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Makes one update and gives its record. */
  async next(): Promise<IteratorResult<TrainRecord, undefined>> {
    if (this.stopReason) return { done: true, value: undefined };
    if (this.#update >= this.updates) return this.#stop("finished");
    await this.#breathe();
    if (this.#signal?.aborted) return this.#stop("aborted");
    if (this.stopReason) return { done: true, value: undefined };
    const before = this.#snapshot();
    const started = performance.now();
    try {
      const record = this.#oneUpdate(started);
      this.#history.add(record);
      return { done: false, value: record };
    } catch (error) {
      // A failed update may have moved parameters: go back to the state before it.
      this.policy.restore(before.policy);
      this.#optimiser.restore(before.optimiser);
      if (before.env !== undefined) this.env.restore?.(before.env);
      if (before.stepReward !== undefined) this.#stepRewarder?.restore?.(before.stepReward);
      this.#learner.bonus.state = before.entropy;
      this.#lastGood = this.#capture();
      this.stopReason = "failed";
      throw error;
    }
  }

  /** Called by `break`. The state is kept: `checkpoint()` still works. */
  return(): Promise<IteratorResult<TrainRecord, undefined>> {
    return Promise.resolve(this.#stop("returned"));
  }

  /** Ends the run as failed and hands the error on. */
  throw(error: unknown): Promise<IteratorResult<TrainRecord, undefined>> {
    this.stopReason ??= "failed";
    return Promise.reject(error instanceof Error ? error : new Error(String(error)));
  }

  /** Everything that the next update depends on; after a failed update, the state before that update. */
  checkpoint(): Checkpoint {
    return this.#lastGood ?? this.#capture();
  }

  /** What a notebook shows in its place. */
  [displaySymbol](): MimeBundle {
    return runCard({
      rule: this.recipe.name,
      world: this.env.spec.id,
      update: this.#update,
      updates: this.updates,
      stopReason: this.stopReason,
      history: this.#history,
    })[displaySymbol]();
  }

  #oneUpdate(started: number): TrainRecord {
    const index = this.#update + 1;
    const remember = this.#stale.before();
    const result = this.#learner.update(index, this.#rng.split("update", index), this.witness);
    remember();
    this.env.afterUpdate?.(result.played);
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
      compute: computeOf(this.policy),
      metrics,
    };
  }

  #evaluate(index: number): Metrics {
    const { evaluateExact, evalEvery, evalEpisodes, evalGreedy } = this.#settings;
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
  #snapshot(): {
    policy: PolicyState;
    optimiser: OptimiserState;
    env: unknown;
    stepReward: unknown;
    entropy: EntropyCoefficient | undefined;
  } {
    const policy = this.policy.snapshot?.() ?? this.policy.state();
    return {
      policy,
      optimiser: this.#optimiser.snapshot(),
      env: this.env.state?.(),
      stepReward: this.#stepRewarder?.state?.(),
      entropy: this.#learner.bonus.state,
    };
  }

  #capture(): Checkpoint {
    const envState = this.env.state?.();
    const stepReward = this.#stepRewarder?.state?.();
    const entropy = this.#learner.bonus.state;
    const past = this.#stale.state();
    return {
      format: "turnwise-checkpoint",
      version: 1,
      env: { id: this.env.spec.id, options: this.env.spec.options },
      recipe: this.recipe,
      settings: this.#settings,
      rng: this.#rng.state(),
      update: this.#update,
      samples: this.#samples,
      optimizerSteps: this.#optimizerSteps,
      policy: this.policy.state(),
      compute: computeOf(this.policy),
      reference: this.#reference?.state() ?? null,
      ...(this.#teacher !== undefined && { teacher: this.#teacher }),
      ...(this.#demonstrator && { demonstrator: this.#demonstrator.state() }),
      optimiser: this.#optimiser.state(),
      ...(past !== undefined && { past }),
      ...(envState !== undefined && { envState }),
      ...(stepReward !== undefined && { stepReward }),
      ...(entropy && { entropy }),
    };
  }

  #stop(reason: StopReason): IteratorReturnResult<undefined> {
    this.stopReason ??= reason;
    return { done: true, value: undefined };
  }
}
