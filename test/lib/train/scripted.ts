import {
  createRng,
  recipe,
  type Batch,
  type Env,
  type Policy,
  type Recipe,
  type RecipeOverrides,
  type StepResult,
  createOptimizer,
} from "turnwise";
import { Learner, type LearnerOptions, type UpdateResult } from "turnwise/internal/train/learner";

/** Episode k of a run gets the k-th list of rewards, one a turn, whatever the agent does; `info` is reported of every turn. */
export function scriptedEnv(
  episodes: readonly (readonly number[])[],
  maxTurns = 3,
  info: (episode: number) => Readonly<Record<string, unknown>> = () => ({}),
): Env {
  let k = -1;
  let t = 0;
  const observation = { tokens: [2], text: "go on" };
  const env: Pick<Env, "spec" | "reset" | "step"> = {
    spec: {
      id: "Scripted-v0",
      skill: "",
      vocabulary: ["a", "b"],
      observationVocabulary: ["go on"],
      maxTurns,
      maxTokens: 1,
      options: {},
    },
    reset() {
      k++;
      t = 0;
      return [observation, {}];
    },
    step(): StepResult {
      const rewards = episodes[k]!;
      const reward = rewards[t]!;
      t++;
      return [observation, reward, t === rewards.length, false, info(k)];
    },
  };
  return env as Env;
}

/**
 * One parameter per turn, theta_t, which is the log-prob of whatever was written in that turn: no distribution, but easy to
 * work out by hand. The entropy is theta_t too, and the value before every turn is the last parameter.
 */
export class TurnPolicy implements Policy {
  readonly name = "turns";
  readonly parameters: Float64Array;
  /** What `evaluate` was asked: trajectories and turns. */
  readonly asked: { readonly ids: readonly string[]; readonly turns: readonly number[] }[] = [];

  constructor(
    readonly start: readonly number[],
    readonly options: { readonly value?: boolean; readonly shared?: boolean } = {},
  ) {
    this.parameters = Float64Array.from(start);
  }

  contextOf(): unknown {
    return null;
  }

  /** With `shared`, all turns have the first parameter. */
  #of(t: number): number {
    return this.options.shared ? 0 : t;
  }

  sample(...[histories]: Parameters<Policy["sample"]>): ReturnType<Policy["sample"]> {
    return histories.map(({ actions }) => ({
      tokens: [0],
      logProb: [this.parameters[this.#of(actions.length)]!],
      context: null,
    }));
  }

  evaluate(
    batch: Batch,
    _rows?: ArrayLike<number>,
    turns?: ArrayLike<number>,
  ): ReturnType<Policy["evaluate"]> {
    const [N, T] = batch.shape;
    const chosen = turns ? Array.from(turns) : Array.from({ length: T }, (_, t) => t);
    this.asked.push({ ids: batch.trajectoryId, turns: chosen });
    const logProb_ntl = Float64Array.from({ length: N * T }, (_, nt) =>
      batch.mask_ntl[nt] === 1 && chosen.includes(nt % T) ? this.parameters[this.#of(nt % T)]! : 0,
    );
    const value_nt = new Float64Array(N * T).fill(this.parameters.at(-1)!);
    return { logProb_ntl, entropy_ntl: logProb_ntl, ...(this.options.value && { value_nt }) };
  }

  backward(batch: Batch, gradient: Parameters<Policy["backward"]>[1]): Float64Array {
    const [, T] = batch.shape;
    const g = new Float64Array(this.parameters.length);
    gradient.dLogProb_ntl.forEach((x, nt) => (g[this.#of(nt % T)]! += x));
    gradient.dEntropy_ntl?.forEach((x, nt) => (g[this.#of(nt % T)]! += x));
    gradient.dValue_nt?.forEach((x) => (g[g.length - 1]! += x));
    return g;
  }

  nextTokenLogProb(): Float64Array {
    return new Float64Array(2);
  }

  clone(): TurnPolicy {
    return new TurnPolicy([...this.parameters], this.options);
  }

  state(): ReturnType<Policy["state"]> {
    return { name: this.name, parameters: [...this.parameters] };
  }

  restore(): void {
    throw new Error("not needed");
  }
}

/** One plain gradient step with rate 1 on ratio x advantage of raw returns, each token weighing 1 / trajectories. */
export function row(overrides: RecipeOverrides = {}): Recipe {
  const { update, ...cells } = overrides;
  return recipe("reinforce", {
    ratio: "token",
    gate: "unclipped",
    ...cells,
    update: {
      epochs: 1,
      minibatches: 1,
      optimizer: { kind: "sgd", learningRate: 1 },
      ...(update as object),
    },
  } as RecipeOverrides);
}

export interface Script extends Partial<Omit<LearnerOptions, "recipe" | "env" | "policy">> {
  readonly episodes: readonly (readonly number[])[];
  readonly recipe: Recipe;
  readonly policy: Policy;
  readonly maxTurns?: number;
}

/** One update on scripted episodes. */
export function update(o: Script): UpdateResult {
  const { episodes, maxTurns, ...rest } = o;
  return new Learner({
    env: scriptedEnv(episodes, maxTurns),
    optimizer: createOptimizer(o.recipe.update.optimizer),
    reference: null,
    groups: 1,
    groupSize: 2,
    temperature: 1,
    logProbNoise: 0,
    ...rest,
  }).update(1, createRng(1));
}
