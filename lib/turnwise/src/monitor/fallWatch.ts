import { mean } from "../base/statistics";
import { dropOf, FALL_LEVEL, FOLLOWED_FALL_LEVEL, goneOn, type Drop } from "./drop";
import { WINDOW } from "./fall";

/** Two means of 10 that share no value: of fewer values, nothing can be told. */
export const FEWEST = 2 * WINDOW;
/** A series is looked at again once it has grown by this share, and at most after each value. */
const AGAIN = 0.01;

/**
 * Looks for a fall while a series grows, as one who follows a run does, so that a fall is found even if the run recovers from it and
 * ends above its best. A run that is read afterwards gets the same looks, so that both come to the same verdict.
 *
 * It looks only where the mean of 10 is below the best one so far, and ever more seldom as the series grows, so that all looks
 * together take time in proportion to its length.
 */
export class FallWatch {
  readonly #series: (number | undefined)[] = [];
  readonly #window: number[] = [];
  #best = -Infinity;
  #count = 0;
  #next = 0;
  #found: Drop | undefined;
  /** Number of values that all looks have gone through, together. */
  lookedAt = 0;

  /** Whether the series is known to have fallen. */
  get hasFallen(): boolean {
    return this.#found !== undefined;
  }

  push(value: number | undefined): void {
    this.#series.push(value);
    if (this.#found || value === undefined || !Number.isFinite(value)) return;
    this.#count += 1;
    this.#window.push(value);
    if (this.#window.length > WINDOW) this.#window.shift();
    if (this.#window.length < WINDOW) return;
    const latest = mean(this.#window);
    this.#best = Math.max(this.#best, latest);
    if (latest >= this.#best || this.#count < Math.max(FEWEST, this.#next)) return;
    this.#next = Math.ceil(this.#count * (1 + AGAIN));
    this.lookedAt += this.#series.length;
    const drop = dropOf(this.#series, { level: FOLLOWED_FALL_LEVEL, quick: true });
    if (drop?.isFall) this.#found = drop;
  }

  /**
   * The fall that one look at the whole series finds; else the one that was found on the way, with what came after it; else the first
   * drop, which chance may have made.
   */
  end(): Drop | undefined {
    const last = dropOf(this.#series, { level: FALL_LEVEL });
    if (last?.isFall || this.#found === undefined) return last;
    return goneOn(this.#found, this.#series);
  }
}
