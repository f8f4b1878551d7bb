import { expectWithin } from "../base/expect";

/** At this speed and above, training goes as fast as it can. */
export const fastest = 100;
/** The slowest, in updates a second. */
export const slowest = 1;
/** Shorter waits than this are saved up: timers of a page or of Node are no more exact. */
const shortestWaitMs = 4;
const markEveryMs = 250;
const marks = 8;

/** @throws {RangeError} if it is slower than the slider */
export function expectSpeed(speed: number): void {
  expectWithin("the playground's pace", "speed", speed, slowest, Infinity);
}

/** Pace of updates: holds them back to a speed, and measures it over the last two seconds. */
export class Pace {
  #due = 0;
  #count = 0;
  #marks: { at: number; count: number }[] = [];
  #wake: (() => void) | undefined;
  #speed: number;

  /** @param speed updates a second */
  constructor(
    speed: number,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.#speed = Math.min(speed, fastest);
  }

  get speed(): number {
    return this.#speed;
  }

  /** Another speed from now on. */
  hold(speed: number): void {
    expectSpeed(speed);
    this.#speed = Math.min(speed, fastest);
    this.wake();
  }

  /** Training begins or goes on: what was measured before a pause does not count. */
  start(): void {
    this.#due = this.now();
    this.#count = 0;
    this.#marks = [{ at: this.#due, count: 0 }];
  }

  /** An update has been made. */
  note(): void {
    this.#count++;
    const at = this.now();
    const last = this.#marks.at(-1);
    // Without a mark nothing runs: a single update was made, as for a film.
    if (!last || at - last.at < markEveryMs) return;
    this.#marks.push({ at, count: this.#count });
    if (this.#marks.length > marks) this.#marks.shift();
  }

  /** Updates a second; undefined as long as too little was seen. */
  get rate(): number | undefined {
    const [first, last] = [this.#marks[0], this.#marks.at(-1)];
    if (!first || !last || last.at === first.at) return undefined;
    return ((last.count - first.count) * 1000) / (last.at - first.at);
  }

  /** Waits until the next update is due, or until `wake`. */
  async wait(): Promise<void> {
    if (this.#speed >= fastest) return;
    this.#due += 1000 / this.#speed;
    const left = this.#due - this.now();
    // What was lost, as to a slow update, is not caught up in a burst.
    if (left < -100) this.#due = this.now();
    if (left < shortestWaitMs) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, left);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#wake = undefined;
  }

  /** Ends a wait before its time, as somebody has paused or moved the speed. */
  wake(): void {
    this.#due = this.now();
    this.#wake?.();
  }
}

/** A speed in words, in as many digits as can be trusted. */
export function rateText(rate: number): string {
  return `${rate < 10 ? rate.toFixed(1) : String(Number(rate.toPrecision(2)))} updates/s`;
}
