import { envInfo, make } from "../env";
import { isEnumerable, type EnvSpec } from "../env/env";
import type { WorldPolicy } from "../env/world";
import { libraryWorlds } from "../env/worlds";
import { valueOfPolicy } from "../exact/enumerateReturn";
import { optimalReturn } from "../exact/optimalReturn";
import type { PolicyOptions } from "../policy";
import { recipeNeeds, type Recipe } from "../rule";
import { train, type Checkpoint, type TrainRecord, type TrainRun } from "../train";
import { createOptimizer } from "../train/optimizer";
import { Camera, type Film } from "./film";
import type { Settings } from "./settings";
import { LatestRecords } from "./track";
import { Watch } from "./watch";

const exactEvery = 5;

/** A training that goes on with other settings where it stands. */
export class Steered {
  readonly #updates: number;
  /** By which the world was made; its own `spec.id` may be another's. */
  readonly #id: string;
  readonly #seed: number;
  #run: TrainRun;
  readonly #records = new LatestRecords();
  readonly optimum: number | undefined;
  readonly watch: Watch;

  /** @throws {RangeError} if the settings do not fit together */
  constructor(settings: Settings, updates: number) {
    this.#updates = updates;
    this.#id = settings.env;
    this.#seed = settings.number("seed");
    this.#run = this.#fresh(settings);
    this.optimum = this.exact ? optimalReturn(make(settings.env) as never).J : undefined;
    this.watch = new Watch(this.optimum);
  }

  get run(): TrainRun {
    return this.#run;
  }

  get exact(): boolean {
    return isCheap(this.#id);
  }

  /** The metric to draw: the exact return where it is known. */
  get metric(): "return/exact" | "reward/mean" {
    return this.exact ? "return/exact" : "reward/mean";
  }

  /** The latest records of the present run. */
  get records(): readonly TrainRecord[] {
    return this.#records.all;
  }

  /** The number of updates so far. */
  get update(): number {
    return this.records.at(-1)?.update ?? 0;
  }

  /** One update; undefined when all are done. */
  async next(): Promise<TrainRecord | undefined> {
    const run = this.#run;
    const { value } = await run.next();
    // Meanwhile the settings may have changed: the update belongs to a run that was left.
    if (run !== this.#run) return this.next();
    if (value === undefined) return undefined;
    this.#records.add(value);
    this.watch.observe(value);
    return value;
  }

  /** One update seen from the inside; undefined when all are done. */
  async film(): Promise<Film | undefined> {
    const run = this.#run;
    const { env, policy, recipe } = run;
    const exact = (): number => valueOfPolicy(env as never, policy);
    const before = this.exact ? exact() : undefined;
    const camera = new Camera(policy, recipe, env.spec.vocabulary);
    run.witness = camera;
    try {
      const record = await this.next();
      // Somebody has changed the settings meanwhile: what the camera saw belongs to a run that was left.
      if (record === undefined || run !== this.#run) return undefined;
      return camera.finish(record, before === undefined ? undefined : { before, after: exact() });
    } finally {
      run.witness = undefined;
    }
  }

  get id(): string {
    return this.#id;
  }

  /**
   * Settings that wait for a new start; with a rule that needs another agent, the entire rule waits.
   *
   * @throws {RangeError} if the settings do not fit together
   */
  waitsFor(settings: Settings): { readonly all: readonly string[]; readonly otherAgent: boolean } {
    const { row: rule } = settings;
    const needs = recipeNeeds(rule).value;
    const otherAgent = needs !== recipeNeeds(this.#run.recipe).value;
    const critic = needs
      ? `${rule.name} needs a critic, which this agent does not have`
      : `${rule.name} has no critic, and this agent has one`;
    const seed = settings.number("seed");
    const all = [...(otherAgent ? [critic] : []), ...(seed === this.#seed ? [] : [`seed ${String(seed)}`])];
    return { all, otherAgent };
  }

  /**
   * Goes on with other settings from the present parameters, with the same optimizer slots where it is of the same kind.
   *
   * @throws {RangeError} if the settings do not fit together; the run then stays as it was
   */
  steer(settings: Settings): void {
    this.#run = train({
      resume: withRow(this.#run.checkpoint(), settings.row, settings),
      policy: agentFor(this.#id, this.#run.env.spec),
      updates: this.#updates,
    });
  }

  #fresh(settings: Settings): TrainRun {
    const { env, row: rule } = settings;
    return train({
      env,
      recipe: rule,
      policy: agentFor(env, make(env).spec),
      updates: this.#updates,
      groups: settings.number("groups"),
      groupSize: settings.number("groupSize"),
      seed: settings.number("seed"),
      exactEvery: isCheap(env) ? exactEvery : 0,
    });
  }
}

/** Whether the exact return can be drawn while the agent trains. */
const isCheap = (env: string): boolean => envInfo(env).cheapToEnumerate === true && isEnumerable(make(env));

/**
 * Agent for a world: where calls have a form, it knows that form untrained, like the agent of notebook 00; it remembers
 * what the world's own agent does, since in a world with long episodes a table of full histories is too large to
 * enumerate.
 */
function agentFor(env: string, { syntax }: EnvSpec): PolicyOptions {
  const own: WorldPolicy | undefined = libraryWorlds.find(({ id }) => id === env)?.policy;
  return {
    ...(syntax && { syntaxPrior: 3 }),
    ...(own !== undefined && "memory" in own && own.memory !== undefined && { memory: own.memory }),
  };
}

function withRow(checkpoint: Checkpoint, rule: Recipe, settings: Settings): Checkpoint {
  const { optimizer } = rule.update;
  const needs = recipeNeeds(rule);
  return {
    ...checkpoint,
    recipe: rule,
    settings: {
      ...checkpoint.settings,
      groups: settings.number("groups"),
      groupSize: settings.number("groupSize"),
    },
    optimizer:
      optimizer.kind === checkpoint.optimizer.kind
        ? checkpoint.optimizer
        : createOptimizer(optimizer).state(),
    reference: needs.reference && !needs.shown ? (checkpoint.reference ?? checkpoint.policy) : null,
  };
}
