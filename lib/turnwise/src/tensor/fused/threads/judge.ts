/** Milliseconds at the start of a trial in which the other threads may still be asleep. */
const WAKING = 0.3;
/** The rest of a trial lasts so many milliseconds and has so many tasks. */
const TRIAL = { milliseconds: 2, works: 4 };
/** Milliseconds of work between trials: the minimum, and the maximum while nothing changes. */
const BETWEEN = { least: 10, most: 160 };
/** The work between trials takes at least so many times as long as the trial. */
const SELDOM = 20;
/** The other way must take less than this fraction of the time: small savings are not worth a mistake. */
const BETTER = 0.85;
/** Milliseconds of the shortest task that is divided on trial: a thread that sleeps takes about as long to wake. */
const SHORTEST = 0.1;
/** The weight of the newest time in the mean. */
const NEWEST = 0.1;

interface Trial {
  /** Of all tasks, and of those that count. */
  time: number;
  took: number;
  works: number;
  /** Expected time of these in the present way. */
  expected: number;
}

/**
 * Decides whether dividing a kind of task pays here and now. It does not if other programs occupy the other cores: then two
 * threads are slower than one.
 *
 * The judge keeps the mean time, per size, that the tasks take the present way. From time to time some are done the other
 * way, and if they take less than the mean predicts, that becomes the present way. Results do not depend on it.
 */
export class Judge {
  #divides: boolean;
  #left = BETWEEN.least;
  #between = BETWEEN.least;
  #rate: number | undefined;
  /** The trial in progress. */
  #trial: Trial | undefined;

  /** @param divides what to do until the first trial */
  constructor(divides = true) {
    this.#divides = divides;
  }

  /** Whether to divide the next task. */
  get divides(): boolean {
    return this.#divides !== (this.#trial !== undefined);
  }

  /** Reports how long the task took, in milliseconds. */
  took(size: number, time: number): void {
    if (this.#trial) {
      this.#try(this.#trial, size, time);
      return;
    }
    const [rate, known] = [time / size, this.#rate];
    // A pause of the machine says nothing about the task.
    this.#rate = known === undefined ? rate : known + NEWEST * (Math.min(rate, 3 * known) - known);
    this.#left -= time;
    if (this.#left <= 0 && (this.#divides || time >= SHORTEST))
      this.#trial = { time: 0, works: 0, took: 0, expected: 0 };
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

/** A judge for each kind of task. */
export class Judges {
  readonly #judges = new Map<string, Judge>();

  /**
   * @param divides what to do with a kind of task until its first trial
   * @param now milliseconds from any start
   */
  constructor(
    private readonly divides: boolean,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Does a task one way or the other, and learns from how long that took. */
  time(work: string, size: number, task: (divides: boolean) => void): void {
    const judge = this.#judges.get(work);
    if (!judge) {
      // The first one says little, as it meets fresh memory and code that has not run before.
      this.#judges.set(work, new Judge(this.divides));
      task(this.divides);
      return;
    }
    const begin = this.now();
    task(judge.divides);
    judge.took(size, this.now() - begin);
  }
}
