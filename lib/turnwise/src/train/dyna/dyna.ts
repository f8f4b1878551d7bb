import type { Metrics } from "../../base/glossary";
import type { Rng } from "../../base/rng";
import type { Env } from "../../env/env";
import type { Policy } from "../../policy/policy";
import type { Recipe } from "../../rule";
import { CountModel, hallucinating } from "../../search/model";
import { periodicYield } from "../periodicYield";
import { exactReturn } from "../evaluate";
import type { Learner } from "../learner";
import { setUp, type Setup } from "../setUp";
import type { TrainSettings } from "../settings";
import { TrainState } from "../state";
import type { UpdateObserver } from "../witness";
import { readDynaOptions, type DynaCheckpoint, type DynaOptions, type Planning } from "./options";

/** Record of one update on the world and of those on the model that followed. */
export interface DynaRecord {
  /** Counts from 1. */
  readonly update: number;
  /** Steps taken in the world so far: what is paid for. */
  readonly realSteps: number;
  /** Steps taken in the model so far. */
  readonly modelSteps: number;
  /** Of the update on the world; `return/exact` is that of the world after all updates. */
  readonly metrics: Metrics;
}

/**
 * Dyna: learn from the world, learn a model of it, and learn from the model.
 *
 * ```
 * repeat: one update on a batch of the world
 *         the model counts that batch
 *         n updates on batches of the model
 * ```
 * Any rule of the table makes the updates; world and model share the policy and the optimizer. A step in the world and a step in the
 * model are counted apart. With `planning: 0` the parameters are those of `train`.
 *
 * Sutton's Dyna-Q replays single pairs of state and action by one-step Q-learning. Rules of policy gradients need whole episodes
 * under the present policy, so the model here is asked for episodes from their start.
 *
 * @throws {TypeError} if an option is missing or has the wrong type, the checkpoint fixes what is given, or the model is to be exact or
 * to hallucinate and the world does not list its outcomes
 * @throws {RangeError} if an option is out of range, or asks for what needs more than a world, a policy and a model: a teacher, a batch
 * that is some updates old, an entropy bonus with a target, a curriculum
 * @see Sutton, "Integrated architectures for learning, planning, and reacting" (1990); Sutton and Barto, 2nd edition, section 8.2
 * @example
 * import { dyna } from "turnwise/search";
 * const run = dyna({ env: "LookUp-v0", recipe: "reinforce", planning: 2, updates: 3 });
 * for await (const { realSteps, modelSteps } of run) console.log(realSteps, modelSteps);
 */
export function dyna(options: DynaOptions): DynaRun {
  return new DynaRun(options);
}

/** A run of `dyna`: an async generator of records that holds its policy and can be checkpointed between updates. */
export class DynaRun implements AsyncIterable<DynaRecord> {
  readonly env: Env;
  readonly policy: Policy;
  readonly recipe: Recipe;
  readonly updates: number;
  /** Counts; undefined for an exact model. */
  readonly model: CountModel | undefined;
  readonly #own: Planning;
  readonly #settings: TrainSettings;
  readonly #signal: AbortSignal | undefined;
  readonly #state: TrainState;
  readonly #real: Learner;
  #realSteps = 0;
  #modelSteps = 0;

  constructor(options: DynaOptions) {
    const { train, own, resume } = readDynaOptions(options);
    const setup = setUp(train);
    refuseUnplanned(setup);
    const { env, policy, recipe, settings, updates, signal } = setup;
    this.env = env;
    this.policy = policy;
    this.recipe = recipe;
    this.updates = updates;
    this.#own = own;
    this.#settings = settings;
    this.#signal = signal;
    this.model = own.model.kind === "count" ? new CountModel(env.spec, own.model) : undefined;
    this.#state = new TrainState(setup);
    if (resume) {
      this.#realSteps = resume.realSteps;
      this.#modelSteps = resume.modelSteps;
      if (resume.counts) this.model?.restore(resume.counts);
    }
    this.#real = this.#state.learner(this.model?.watch(env));
    if (!this.model) this.#plannedWorld(); // refuses a world that cannot be listed before any work is done
  }

  /** Makes one update on the world and the planned ones after it, and gives their record. */
  async *[Symbol.asyncIterator](): AsyncGenerator<DynaRecord, undefined> {
    const breathe = periodicYield();
    const { rng } = this.#state;
    const { exactEvery } = this.#settings;
    while (this.#state.update < this.updates) {
      await breathe();
      if (this.#signal?.aborted) return;
      const index = this.#state.update + 1;
      const metrics = this.#learn(
        this.#real,
        index,
        rng.split("update", index),
        (n) => (this.#realSteps += n),
      );
      const planner = this.#own.planning > 0 ? this.#state.learner(this.#plannedWorld()) : undefined;
      for (let k = 0; planner && k < this.#own.planning; k++) {
        await breathe();
        this.#learn(planner, index, rng.split("plan", index, k), (n) => (this.#modelSteps += n));
      }
      this.#state.update = index;
      yield {
        update: index,
        realSteps: this.#realSteps,
        modelSteps: this.#modelSteps,
        metrics: { ...metrics, ...exactReturn(this.env, this.policy, { index, exactEvery }) },
      };
    }
  }

  /** Everything that the next update depends on. */
  checkpoint(): DynaCheckpoint {
    const { model, planning } = this.#own;
    return {
      format: "turnwise-dyna",
      train: this.#state.checkpoint(),
      model,
      planning,
      realSteps: this.#realSteps,
      modelSteps: this.#modelSteps,
      counts: this.model?.state() ?? null,
    };
  }

  #plannedWorld(): Env {
    const known = this.model?.env() ?? this.env;
    const { hallucination } = this.#own.model;
    return hallucination ? hallucinating(known, hallucination) : known;
  }

  #learn(learner: Learner, index: number, rng: Rng, count: (steps: number) => void): Metrics {
    const witness: UpdateObserver = {
      prepared: () => undefined,
      stepped: () => undefined,
      sampled: ({ turnCount_n }) => {
        count(turnCount_n.reduce((sum, turns) => sum + turns, 0));
      },
    };
    const result = learner.update(index, rng, witness);
    this.#state.count(result);
    return result.metrics;
  }
}

/**
 * Rejects state that lives outside policy, optimizer and step reward from update to update: it cannot be shared with a
 * model's learner.
 */
function refuseUnplanned({ env, recipe, settings, teacher }: Setup): void {
  const refuse = (what: string, current: string): never => {
    throw new RangeError(`Cannot plan: ${what}, got ${current}.`);
  };
  if (teacher) refuse("the rule must need no teacher", `recipe ${recipe.name}`);
  if (settings.staleness > 0) refuse("staleness must be 0", String(settings.staleness));
  if (recipe.regularizer.entropyTarget) refuse("regularizer.entropyTarget must be null", "a target");
  if (env.afterUpdate) refuse("the world must not change with training", env.spec.id);
}
