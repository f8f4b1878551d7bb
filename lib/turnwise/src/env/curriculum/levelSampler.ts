import { log } from "../../base/elementary/log";
import type { Rng } from "../../base/rng";
import { bellWeights } from "./bell";
import type { Sampler } from "./sampler";

export interface LevelSamplerOptions {
  /** Number of levels; they are counted from 1. */
  readonly levels: number;
  /** Success rate to aim at. Default 0.5. */
  readonly target?: number;
  /** Standard deviation of the bell around the target, in units of success rate. Default 0.15. */
  readonly width?: number;
  /** Share of the draws that goes to all levels alike, so that no estimate goes stale. Default 0.1. */
  readonly floor?: number;
  /** Factor on the weight of old episodes after each `advance`, from 0 to 1. Default 0.8. */
  readonly decay?: number;
}

/**
 * Draws levels of difficulty so that success stays near a target.
 *
 * ```
 * p_l  = (s_l + 1) / (n_l + 2)                        s successes in n episodes, old ones decayed
 * q(l) = (1 - floor) w_l / sum w + floor / levels,    w_l = exp(-((p_l - target) / width)^2 / 2)
 * ```
 *
 * A level that was never played counts as success rate 1/2 and is therefore tried. Results are collected by `record` and
 * take effect at `advance` only, so that the draws within one batch do not depend on the order in which it is played.
 *
 * Drawing tasks of intermediate accuracy is common; the bell, the floor and the decay are this library's own choices.
 *
 * @throws {RangeError} if an option is out of range
 * @see PACED-RL, arXiv 2602.12642, which also draws tasks of intermediate accuracy
 */
export class LevelSampler implements Sampler {
  readonly #o: Required<LevelSamplerOptions>;
  #successes: number[];
  #episodes: number[];
  #newSuccesses: number[];
  #newEpisodes: number[];

  constructor(options: LevelSamplerOptions) {
    this.#o = { target: 0.5, width: 0.15, floor: 0.1, decay: 0.8, ...options };
    const { levels, target, width, floor, decay } = this.#o;
    if (!Number.isInteger(levels) || levels < 1) {
      refuse("levels must be an integer >= 1", levels);
    }
    for (const [name, value] of Object.entries({ target, floor, decay })) {
      if (!(value >= 0 && value <= 1)) refuse(`${name} must be in [0, 1]`, value);
    }
    if (!(width > 0)) refuse("width must be > 0", width);
    const zeros = (): number[] => new Array<number>(levels).fill(0);
    [this.#successes, this.#episodes, this.#newSuccesses, this.#newEpisodes] = [
      zeros(),
      zeros(),
      zeros(),
      zeros(),
    ];
  }

  get levels(): number {
    return this.#o.levels;
  }

  /** Estimated success rate of a level. */
  estimate(level: number): number {
    const l = this.#index(level);
    return (this.#successes[l]! + 1) / (this.#episodes[l]! + 2);
  }

  /** q(1), ..., q(levels); they sum to 1. */
  probabilities(): number[] {
    return bellWeights(
      this.#successes.map((_, l) => this.estimate(l + 1)),
      this.#o,
    );
  }

  /** One draw from the generator. */
  draw(rng: Rng): number {
    return 1 + rng.categorical(this.probabilities().map(log));
  }

  /** An episode of a level has ended. */
  record(level: number, success: boolean): void {
    const l = this.#index(level);
    this.#newEpisodes[l]! += 1;
    if (success) this.#newSuccesses[l]! += 1;
  }

  /** Between updates: what was recorded takes effect, and what was known before fades. */
  advance(): void {
    const { decay } = this.#o;
    this.#successes = this.#successes.map((value, l) => decay * value + this.#newSuccesses[l]!);
    this.#episodes = this.#episodes.map((value, l) => decay * value + this.#newEpisodes[l]!);
    this.#newSuccesses.fill(0);
    this.#newEpisodes.fill(0);
  }

  /** Plain JSON data for a checkpoint. */
  state(): { successes: number[]; episodes: number[]; newSuccesses: number[]; newEpisodes: number[] } {
    return {
      successes: [...this.#successes],
      episodes: [...this.#episodes],
      newSuccesses: [...this.#newSuccesses],
      newEpisodes: [...this.#newEpisodes],
    };
  }

  /** @throws {TypeError} if the state has another number of levels */
  restore(given: unknown): void {
    const state = (given ?? {}) as Partial<ReturnType<LevelSampler["state"]>>;
    const lists: (number[] | undefined)[] = [
      state.successes,
      state.episodes,
      state.newSuccesses,
      state.newEpisodes,
    ];
    if (lists.some((list) => list?.length !== this.levels)) {
      throw new TypeError(
        `Cannot restore a level sampler: the state must have ${this.levels} levels, but it has ${lists.map((list) => list?.length ?? "none").join(", ")}.`,
      );
    }
    [this.#successes, this.#episodes, this.#newSuccesses, this.#newEpisodes] = lists.map((list) => [
      ...list!,
    ]) as [number[], number[], number[], number[]];
  }

  #index(level: number): number {
    if (!Number.isInteger(level) || level < 1 || level > this.levels) {
      throw new RangeError(
        `Cannot use a level: it must be an integer from 1 to ${this.levels}, got ${level}.`,
      );
    }
    return level - 1;
  }
}

function refuse(what: string, value: number): never {
  throw new RangeError(`Cannot make a level sampler: ${what}, got ${value}.`);
}
