import { log } from "../../base/elementary/log";
import type { Rng } from "../../base/rng";
import type { Played } from "../env";
import { bellWeights } from "./bell";
import type { Sampler } from "./sampler";

/** Options of a `PartitionSampler`. */
export interface PartitionSamplerOptions {
  /** Number of levels; they are counted from 1. */
  readonly levels: number;
  /** Temperature of the rewards; that of the rule's `reward.kl`. Default 1/15, as recipe pacedRl. */
  readonly beta?: number;
  /** Step size of a level's log Z towards the mean of an update's trajectories. Default 0.5. */
  readonly rate?: number;
  /** Success rate to aim at. Default 0.5. */
  readonly target?: number;
  /** Standard deviation of the bell around the target, in units of success rate. Default 0.15. */
  readonly width?: number;
  /** Share of the draws that goes to all levels alike. Default 0.1. */
  readonly floor?: number;
}

/**
 * Draws levels whose accuracy is near a target, and reads the accuracy off the partition function that trajectory balance fits.
 *
 * ```
 * log Z_l <- log Z_l + rate (mean_i(R_i / beta - log pi(y_i) / pi_ref(y_i)) - log Z_l),   p_l = beta log Z_l in [0, 1]
 * ```
 * The mean is the log Z at which the squared residuals of the level's trajectories are least, so this is a step of the paper's
 * regression on a table. `p_l` is the accuracy minus beta KL(pi || pi_ref): right while the policy is the reference, too low
 * once it has left it. Were the reference the policy that samples, as in the paper's p_old = beta log Z - beta KL(pi_old || pi_theta),
 * it would be a running mean of successes, which `LevelSampler` counts. It needs no count of successes. `train` tells it what was played; the bell is the one of `LevelSampler`.
 *
 * @throws {RangeError} if an option is out of range
 * @example
 * import { PartitionSampler } from "turnwise/search";
 * const sampler = new PartitionSampler({ levels: 2, beta: 0.5, rate: 1 });
 * sampler.observe(1, { info: {}, return: 1, logRatio: 0.4 });
 * sampler.advance();
 * sampler.estimate(1); // => 0.8
 * @see PACED-RL, arXiv 2602.12642; bell, floor and table are this library's own, and the replay by the error of the estimate is not built
 */
export class PartitionSampler implements Sampler {
  readonly #o: Required<PartitionSamplerOptions>;
  #logZ: number[];
  #sums: number[];
  #counts: number[];

  constructor(options: PartitionSamplerOptions) {
    this.#o = { beta: 1 / 15, rate: 0.5, target: 0.5, width: 0.15, floor: 0.1, ...options };
    const { levels, beta, rate, target, width, floor } = this.#o;
    if (!Number.isInteger(levels) || levels < 1) refuse("levels must be an integer >= 1", levels);
    if (!(beta > 0)) refuse("beta must be > 0", beta);
    if (!(rate > 0 && rate <= 1)) refuse("rate must be above 0 and at most 1", rate);
    for (const [name, value] of Object.entries({ target, floor })) {
      if (!(value >= 0 && value <= 1)) refuse(`${name} must be in [0, 1]`, value);
    }
    if (!(width > 0)) refuse("width must be > 0", width);
    // Unknown levels count as 1/2, as those of LevelSampler do, and are therefore tried.
    this.#logZ = new Array<number>(levels).fill(0.5 / beta);
    this.#sums = new Array<number>(levels).fill(0);
    this.#counts = new Array<number>(levels).fill(0);
  }

  get levels(): number {
    return this.#o.levels;
  }

  estimate(level: number): number {
    const { levels, beta } = this.#o;
    if (!Number.isInteger(level) || level < 1 || level > levels) {
      throw new RangeError(`Cannot use a level: it must be an integer from 1 to ${levels}, got ${level}.`);
    }
    return Math.min(1, Math.max(0, beta * this.#logZ[level - 1]!));
  }

  probabilities(): number[] {
    return bellWeights(
      this.#logZ.map((_, l) => this.estimate(l + 1)),
      this.#o,
    );
  }

  /** One draw from the generator. */
  draw(rng: Rng): number {
    return 1 + rng.categorical(this.probabilities().map(log));
  }

  /** Successes are not counted. */
  record(): void {
    return;
  }

  observe(level: number, { return: R, logRatio }: Played): void {
    this.#sums[level - 1]! += R / this.#o.beta - logRatio;
    this.#counts[level - 1]! += 1;
  }

  advance(): void {
    const { rate } = this.#o;
    this.#logZ = this.#logZ.map((logZ, l) =>
      this.#counts[l] === 0 ? logZ : logZ + rate * (this.#sums[l]! / this.#counts[l]! - logZ),
    );
    this.#sums.fill(0);
    this.#counts.fill(0);
  }

  state(): { logZ: number[]; sums: number[]; counts: number[] } {
    return { logZ: [...this.#logZ], sums: [...this.#sums], counts: [...this.#counts] };
  }

  restore(state: unknown): void {
    const { logZ, sums, counts } = (state ?? {}) as Partial<ReturnType<PartitionSampler["state"]>>;
    const lists = [logZ, sums, counts];
    if (lists.some((list) => list?.length !== this.levels)) {
      throw new TypeError(
        `Cannot restore a partition sampler: the state must have log Z of ${this.levels} levels, but it has ${lists.map((list) => list?.length ?? "none").join(", ")}.`,
      );
    }
    [this.#logZ, this.#sums, this.#counts] = lists.map((list) => [...list!]) as [
      number[],
      number[],
      number[],
    ];
  }
}

function refuse(what: string, value: number): never {
  throw new RangeError(`Cannot make a partition sampler: ${what}, got ${value}.`);
}
