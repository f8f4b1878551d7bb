import { displaySymbol, type MimeBundle } from "../base/display";
import type { Metrics } from "../base/glossary";
import { mergeObjects } from "../base/mergeObjects";
import type { Env } from "../env/env";
import type { Policy } from "../policy/policy";
import type { Recipe } from "../rule";
import { periodicYield } from "./periodicYield";
import { runCard } from "./card";
import type { Checkpoint } from "./checkpoint";
import { computeOf } from "./computeKind";
import { evaluatePolicy, exactReturn, isDue } from "./evaluate";
import { ExactCost } from "./exactCost";
import { RunHistory } from "./history";
import type { Learner } from "./learner";
import type { TrainOptions } from "./options";
import type { TrainRecord } from "./records";
import type { TrainSettings } from "./settings";
import { setUp } from "./setUp";
import { TrainState } from "./state";
import type { UpdateObserver } from "./witness";

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
  witness: UpdateObserver | undefined;
  /** The number of updates after which the run is finished, counted from the very first one. */
  readonly updates: number;
  readonly #settings: TrainSettings;
  readonly #signal: AbortSignal | undefined;
  readonly #state: TrainState;
  readonly #learner: Learner;
  readonly #breathe = periodicYield();
  #milliseconds = 0;
  #lastGood: Checkpoint | undefined;
  readonly #history = new RunHistory();
  readonly #exactCost: ExactCost;

  constructor(options: TrainOptions) {
    const setup = setUp(options);
    this.env = setup.env;
    this.policy = setup.policy;
    this.recipe = setup.recipe;
    this.updates = setup.updates;
    this.#settings = setup.settings;
    this.#exactCost = new ExactCost(setup.settings.exactEvery);
    this.#signal = setup.signal;
    this.#state = new TrainState(setup);
    this.note = this.#state.note;
    this.#learner = this.#state.learner();
  }

  /** Itself, for `for await`. */
  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Makes one update and gives its record. */
  async next(): Promise<IteratorResult<TrainRecord, undefined>> {
    if (this.stopReason) return { done: true, value: undefined };
    if (this.#state.update >= this.updates) return this.#stop("finished");
    await this.#breathe();
    if (this.#signal?.aborted) return this.#stop("aborted");
    if (this.stopReason) return { done: true, value: undefined };
    const undo = this.#state.remember();
    const started = performance.now();
    try {
      const record = this.#oneUpdate(started);
      this.#history.add(record);
      return { done: false, value: record };
    } catch (error) {
      // A failed update may have moved parameters: go back to the state before it.
      undo();
      this.#lastGood = this.#state.checkpoint();
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
    return this.#lastGood ?? this.#state.checkpoint();
  }

  /** MIME bundle that a notebook displays for this object. */
  [displaySymbol](): MimeBundle {
    return runCard({
      rule: this.recipe.name,
      world: this.env.spec.id,
      update: this.#state.update,
      updates: this.updates,
      stopReason: this.stopReason,
      history: this.#history,
      cost: this.#exactCost.sentence,
    })[displaySymbol]();
  }

  #oneUpdate(started: number): TrainRecord {
    const state = this.#state;
    const index = state.update + 1;
    const keepOld = state.stale.before();
    const result = this.#learner.update(index, state.rng.split("update", index), this.witness);
    this.env.afterUpdate?.(result.played);
    const metrics = mergeObjects(result.metrics, this.#evaluate(index));
    keepOld();
    state.update = index;
    state.count(result);
    this.#milliseconds += performance.now() - started;
    this.#exactCost.tell(this.#milliseconds);
    return {
      update: index,
      samples: state.samples,
      optimizerSteps: state.optimizerSteps,
      seconds: this.#milliseconds / 1000,
      compute: computeOf(this.policy),
      metrics,
    };
  }

  #evaluate(index: number): Metrics {
    const { exactEvery, evalEvery, evalEpisodes, evalGreedy } = this.#settings;
    // Splitting does not advance the training stream, and gives every evaluation the same episodes.
    const rng = this.#state.rng.split("evaluation");
    return {
      ...this.#exactCost.of(() => exactReturn(this.env, this.policy, { index, exactEvery })),
      ...(isDue(index, evalEvery) &&
        evaluatePolicy(this.env, this.policy, { episodes: evalEpisodes, greedy: evalGreedy, rng })),
    };
  }

  #stop(reason: StopReason): IteratorReturnResult<undefined> {
    this.stopReason ??= reason;
    return { done: true, value: undefined };
  }
}
