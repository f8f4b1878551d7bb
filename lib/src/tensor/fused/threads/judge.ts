/** Milliseconds of a trial in which the others may still be asleep. */
const WAKING = 0.3;
/** What follows lasts as long and has as many works. */
const TRIAL = { milliseconds: 2, works: 4 };
/** Milliseconds of work between trials: the least, and the most while nothing changes. */
const BETWEEN = { least: 10, most: 160 };
/** And no less than so many times what a trial took. */
const SELDOM = 20;
/** The other way must take less than this part of the time: what saves little is not worth a mistake. */
const BETTER = 0.85;
/** Weight of the newest time in the mean. */
const NEWEST = 0.1;

interface Trial {
  /** Of all works, and of those that count. */
  time: number;
  took: number;
  works: number;
  /** What these take the other way. */
  expected: number;
}

/**
 * Decides whether dividing a kind of work pays here and now: on a machine whose other cores are taken it does not, and then
 * two threads are slower than one.
 *
 * It keeps the mean time that the work takes, for its size, the way that is taken now; from time to time some are done the
 * other way, and where these took less than the mean says, that way is taken. Results do not depend on it.
 */
export class Judge {
  #divides = true;
  #left = BETWEEN.least;
  #between = BETWEEN.least;
  #rate: number | undefined;
  /** The trial that is going on. */
  #trial: Trial | undefined;

  /** Whether to divide the next one. */
  get divides(): boolean {
    return this.#divides !== (this.#trial !== undefined);
  }

  /** Tells how long it took, in milliseconds. */
  took(size: number, time: number): void {
    if (this.#trial) {
      this.#try(this.#trial, size, time);
      return;
    }
    const [rate, known] = [time / size, this.#rate];
    // A pause of the machine is no property of the work.
    this.#rate = known === undefined ? rate : known + NEWEST * (Math.min(rate, 3 * known) - known);
    this.#left -= time;
    if (this.#left <= 0) this.#trial = { time: 0, works: 0, took: 0, expected: 0 };
  }

  #try(trial: Trial, size: number, time: number): void {
    if (trial.time >= WAKING) {
      trial.works++;
      trial.took += time;
      trial.expected += this.#rate! * size;
    }
    trial.time += time;
    if (trial.works < TRIAL.works || trial.took < TRIAL.milliseconds) return;
    if (trial.took < BETTER * trial.expected) {
      this.#divides = !this.#divides;
      this.#rate = undefined;
      this.#between = BETWEEN.least;
    } else {
      this.#between = Math.min(BETWEEN.most, 2 * this.#between);
    }
    this.#left = Math.max(this.#between, SELDOM * trial.time);
    this.#trial = undefined;
  }
}
