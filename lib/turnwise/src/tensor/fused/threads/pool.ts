import type { Part, Threads } from "../kernels";
import type { Bound } from "../native/addon";
import { Judges } from "./judge";
import { Tape } from "./tape";

/** Length of a new tape and of its list of parts. */
const LENGTH = { tape: 1 << 12, parts: 1 << 8 };

/**
 * Tasks on native kernels: all calls of a task are recorded, which costs less than making them one by one from JavaScript,
 * and played in one call by the addon, which has threads of its own.
 *
 * An interrupted task was not played, so nothing touches the memory after it.
 */
export class Pool implements Threads {
  readonly #tape: Tape;
  #places = new Float64Array(LENGTH.parts);
  /** Most tasks are over before a thread is awake, so each kind begins undivided. */
  readonly #judges = new Judges(false);

  constructor(
    private readonly operations: Bound,
    private readonly o: {
      /** Beside the calling thread. */
      readonly helpers: number;
      /** Divide every task, whether it pays or not. */
      readonly always?: boolean;
    },
  ) {
    this.#tape = new Tape(new Float64Array(LENGTH.tape), Object.keys(operations));
  }

  inParts(work: string, size: number, parts: number, part: Part): void {
    this.#record(parts, part);
    const { helpers, always } = this.o;
    if (helpers === 0 || parts === 1) this.#play(parts, 0);
    else this.#judges.time(work, size, (divides) => this.#play(parts, always || divides ? helpers : 0));
  }

  settle(): void {
    // What is not played touches nothing.
  }

  #play(parts: number, helpers: number): void {
    this.operations.play(this.#tape.numbers, this.#places, parts, helpers);
  }

  #record(parts: number, part: Part): void {
    if (parts >= this.#places.length) this.#places = new Float64Array(2 * parts);
    this.#tape.clear();
    for (let i = 0; i < parts; i++) {
      let place = this.#tape.record(part, i);
      for (; !place; place = this.#tape.record(part, i)) this.#tape.grow();
      [this.#places[i], this.#places[i + 1]] = place;
    }
  }
}
