import { envFacts, make } from "../env";
import { isEnumerable, type EnvSpec } from "../env/env";
import { optimalReturn } from "../exact/optimalReturn";
import { EchoTrapMonitor } from "../monitor";
import type { PolicyOptions } from "../policy";
import { recipeNeeds, type Recipe } from "../rule";
import { train, type Checkpoint, type TrainRecord, type TrainRun } from "../train";
import { createOptimiser } from "../train/optimiser";
import type { Settings } from "./settings";

const exactEvery = 5;

/** A training that goes on with other settings where it stands. */
export class Steered {
  readonly #updates: number;
  /** By which the world was made; its own `spec.id` may be another's. */
  #id: string;
  #run: TrainRun;
  monitor = new EchoTrapMonitor();
  records: TrainRecord[] = [];
  optimum: number | undefined;

  /** @throws {RangeError} if the settings do not fit together */
  constructor(settings: Settings, updates: number) {
    this.#updates = updates;
    this.#id = settings.env;
    this.#run = this.#fresh(settings);
    this.optimum = this.exact ? optimalReturn(make(settings.env) as never).J : undefined;
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

  /** One update; undefined when all are done. */
  async next(): Promise<TrainRecord | undefined> {
    const run = this.#run;
    const { value } = await run.next();
    // Meanwhile the settings may have changed: the update belongs to a run that was left.
    if (run !== this.#run) return this.next();
    if (value === undefined) return undefined;
    this.records.push(value);
    this.monitor.observe(value);
    return value;
  }

  /**
   * Goes on with other settings from the present parameters.
   *
   * The optimiser keeps its slots if it is of the same kind. A change of world or seed, or a row whose policy needs a
   * value head that this one lacks, is a new start.
   *
   * @returns "steered", or "started anew"
   * @throws {RangeError} if the settings do not fit together; the run then stays as it was
   */
  steer(settings: Settings, changed: string): "steered" | "started anew" {
    const row = settings.row;
    const anew =
      changed === "env" ||
      changed === "seed" ||
      recipeNeeds(row).value !== recipeNeeds(this.#run.recipe).value;
    if (anew) {
      this.#run = this.#fresh(settings);
      this.#id = settings.env;
      this.records = [];
      this.monitor = new EchoTrapMonitor();
      this.optimum = this.exact ? optimalReturn(make(settings.env) as never).J : undefined;
      return "started anew";
    }
    this.#run = train({
      resume: withRow(this.#run.checkpoint(), row, settings),
      policy: agentFor(this.#run.env.spec),
      updates: this.#updates,
    });
    return "steered";
  }

  #fresh(settings: Settings): TrainRun {
    const { env, row } = settings;
    return train({
      env,
      recipe: row,
      policy: agentFor(make(env).spec),
      updates: this.#updates,
      groups: settings.number("groups"),
      groupSize: settings.number("groupSize"),
      seed: settings.number("seed"),
      evaluateExact: isCheap(env) ? exactEvery : 0,
    });
  }
}

/** Whether the exact return can be drawn while the agent trains. */
const isCheap = (env: string): boolean => envFacts(env).cheapToEnumerate === true && isEnumerable(make(env));

/** Where calls have a form, the untrained agent knows it as well as the one in notebook 00. */
const agentFor = ({ syntax }: EnvSpec): PolicyOptions => (syntax ? { syntaxPrior: 3 } : {});

function withRow(checkpoint: Checkpoint, row: Recipe, settings: Settings): Checkpoint {
  const { optimiser } = row.update;
  return {
    ...checkpoint,
    recipe: row,
    settings: {
      ...checkpoint.settings,
      groups: settings.number("groups"),
      groupSize: settings.number("groupSize"),
    },
    optimiser:
      optimiser.kind === checkpoint.optimiser.kind
        ? checkpoint.optimiser
        : createOptimiser(optimiser).state(),
    reference: recipeNeeds(row).reference ? (checkpoint.reference ?? checkpoint.policy) : null,
  };
}
