import { createRng } from "../../base/rng";
import type {
  Action,
  Env,
  EnvSpec,
  Info,
  Observation,
  Played,
  ResetOptions,
  Space,
  StepResult,
} from "../env";
import { ResetNeededError } from "../errors";
import type { Sampler } from "./sampler";

/**
 * Makes one environment out of several levels: every `reset` draws a level, every finished episode is recorded.
 *
 * The level depends on the seed, not on the member, so the members of a group share it. `info.level` names it.
 * `train` lets the sampler advance after every update and keeps its state in checkpoints; if you collect without `train`,
 * call `sampler.advance()` between updates. A curriculum cannot be enumerated, because its distribution moves.
 *
 * @throws {TypeError} if the levels do not share one vocabulary and turn length
 * @throws {RangeError} if their number is not that of the sampler
 * @example
 * import { curriculum, LevelSampler, make } from "turnwise";
 * const levels = [1, 2].map((length) => make("TMaze-v0", { length }));
 * const [, info] = curriculum(levels, new LevelSampler({ levels: 2 })).reset({ seed: 1 });
 * info["level"]; // => 1
 */
export function curriculum(levels: readonly Env[], sampler: Sampler): Env {
  expectOneShape(levels, sampler);
  return new Curriculum(levels, sampler);
}

function expectOneShape(levels: readonly Env[], sampler: Sampler): void {
  if (levels.length !== sampler.levels) {
    throw new RangeError(
      `Cannot make a curriculum: there must be one environment for each of ${sampler.levels} levels, got ${levels.length}.`,
    );
  }
  const shape = ({ spec }: Env): string =>
    JSON.stringify([spec.vocabulary, spec.observationVocabulary, spec.maxTokens, spec.endToken]);
  const shapes = new Map([...new Set(levels)].map((env) => [env, shape(env)]));
  const other = levels.findIndex((env) => shapes.get(env) !== shapes.get(levels[0]!));
  if (other >= 0) {
    throw new TypeError(
      `Cannot make a curriculum: all levels must share one vocabulary and turn length, but level ${other + 1} differs from level 1.`,
    );
  }
}

class Curriculum implements Env {
  readonly spec: EnvSpec;
  #levels: readonly Env[];
  readonly #sampler: Sampler;
  #level = 0;
  #ended = false;
  #episodes = createRng(0);
  #episode = 0;

  constructor(levels: readonly Env[], sampler: Sampler) {
    this.spec = { ...levels[0]!.spec, maxTurns: Math.max(...levels.map(({ spec }) => spec.maxTurns)) };
    this.#levels = levels;
    this.#sampler = sampler;
  }

  get observationSpace(): Space<Observation> {
    return this.#levels[0]!.observationSpace;
  }

  get actionSpace(): Space<Action> {
    return this.#levels[0]!.actionSpace;
  }

  reset(options: ResetOptions = {}): [Observation, Info] {
    if (options.seed !== undefined) {
      this.#episodes = createRng(options.seed).split("curriculum");
      this.#episode = 0;
    }
    const episode = this.#episodes.split("episode", this.#episode++);
    this.#level = this.#sampler.draw(episode.split("level"));
    this.#ended = false;
    const seed = episode.split("seed").below(4294967296);
    const [observation, info] = this.#levels[this.#level - 1]!.reset({ ...options, seed });
    return [observation, { ...info, level: this.#level }];
  }

  step(action: Action): StepResult {
    this.#expectRunning("step");
    const [observation, reward, terminated, truncated, info] = this.#levels[this.#level - 1]!.step(action);
    this.#ended = terminated || truncated;
    if (this.#ended) this.#sampler.record(this.#level, info["success"] === true);
    return [observation, reward, terminated, truncated, { ...info, level: this.#level }];
  }

  #expectRunning(what: string): void {
    if (this.#level !== 0 && !this.#ended) return;
    throw new ResetNeededError(
      `Cannot ${what} ${this.spec.id}: no episode is running, ` +
        (this.#ended ? "the last one has ended. Call reset." : "reset was not called yet."),
    );
  }

  render(): string {
    if (this.#level === 0) return `${this.spec.id}: reset was not called yet`;
    return `level ${this.#level}\n${this.#levels[this.#level - 1]!.render()}`;
  }

  close(): void {
    for (const env of this.#levels) env.close();
    this.#level = 0;
  }

  state(): unknown {
    return this.#sampler.state();
  }

  restore(state: unknown): void {
    this.#sampler.restore(state);
  }

  afterUpdate(played: readonly Played[] = []): void {
    for (const one of played) {
      const { level } = one.info;
      if (typeof level === "number") this.#sampler.observe?.(level, one);
    }
    this.#sampler.advance();
  }

  /** Episodes of the branch are recorded in the same sampler. */
  branch(stream: number): Env | undefined {
    this.#expectRunning("branch");
    const level = this.#levels[this.#level - 1]!.branch?.(stream);
    const copy = level && this.fork();
    if (!copy) return undefined;
    copy.#levels = copy.#levels.map((env, i) => (i === this.#level - 1 ? level : env));
    copy.#level = this.#level;
    copy.#episodes = this.#episodes;
    copy.#episode = this.#episode;
    return copy;
  }

  /** Episodes of the copy are recorded in the same sampler. */
  fork(): Curriculum | undefined {
    // Places that share an environment go on sharing one, or many places would take long to copy.
    const copies = new Map([...new Set(this.#levels)].map((env) => [env, env.fork?.()]));
    const levels = this.#levels.flatMap((env) => copies.get(env) ?? []);
    return levels.length === this.#levels.length ? new Curriculum(levels, this.#sampler) : undefined;
  }
}
