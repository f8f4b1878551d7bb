/** Works of a trial, of which the first ones find the others asleep. */
const TRIAL = 12;
const WAKING = 4;
/** Milliseconds of work between trials: the least, and the most while nothing changes. */
const BETWEEN = { least: 10, most: 160 };
/** And no less than so many times what a trial took. */
const SELDOM = 20;
/** The other way must save so much of the time before it is taken. */
const BETTER = 0.95;
/** Weight of the newest time in the mean of a work. */
const NEWEST = 0.1;

/**
 * Decides whether dividing work pays here and now: on a machine whose other cores are taken it does not, and then two
 * threads are slower than one.
 *
 * It keeps the mean time that each kind of work takes, for its size, the way that is taken now; from time to time some are
 * done the other way, and where these took less than the means say, that way is taken. Results do not depend on it.
 */
export class Judge {
  #divides = true;
  #trial = 0;
  #between = BETWEEN.least;
  #left = BETWEEN.least;
  #trialTime = 0;
  #took = 0;
  #expected = 0;
  readonly #rates = new Map<string, number>();

  /** Whether to divide the next work. */
  get divides(): boolean {
    return this.#divides !== this.#trial > 0;
  }

  /** Tells how long it took, in milliseconds. */
  took(work: string, size: number, time: number): void {
    const known = this.#rates.get(work);
    if (this.#trial > 0) {
      this.#trialTime += time;
      if (this.#trial-- <= TRIAL - WAKING && known !== undefined) {
        this.#took += time;
        this.#expected += known * size;
      }
      if (this.#trial === 0) this.#decide();
      return;
    }
    const rate = time / size;
    // A pause of the machine is no property of the work.
    const mean = known === undefined ? rate : known + NEWEST * (Math.min(rate, 3 * known) - known);
    this.#rates.set(work, mean);
    this.#left -= time;
    if (this.#left <= 0) this.#trial = TRIAL;
  }

  #decide(): void {
    if (this.#took < BETTER * this.#expected) {
      this.#divides = !this.#divides;
      this.#rates.clear();
      this.#between = BETWEEN.least;
    } else {
      this.#between = Math.min(BETWEEN.most, 2 * this.#between);
    }
    this.#left = Math.max(this.#between, SELDOM * this.#trialTime);
    this.#trialTime = this.#took = this.#expected = 0;
  }
}
