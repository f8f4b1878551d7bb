import { startHelper } from "#fused/helpers";
import type { Operations, Part, Threads } from "../kernels";
import {
  ASLEEP,
  BUSY,
  CONTROL_LENGTH,
  FAILED,
  isOffered,
  MOST_PARTS,
  offer,
  PLACES,
  takeParts,
} from "./control";
import { Judges } from "./judge";
import type { Duty } from "./helpers/helper";
import { Tape } from "./tape";

/** Length of a tape: room for half a task on thousands of rows. */
const TAPE_LENGTH = 1 << 17;

/**
 * The threads that help the first one with the parts of a task, where WebAssembly runs without native kernels: each is a worker.
 *
 * They start with the first task that has parts, take parts as soon as they are ready, and end with the process. While other
 * programs occupy the other cores, the first thread does everything. The team survives a task that is interrupted halfway.
 */
export class Team implements Threads {
  readonly #control = shared(CONTROL_LENGTH);
  readonly #tape: Tape;
  readonly #judges = new Judges(true);
  #started = false;

  constructor(
    private readonly operations: Operations,
    private readonly o: Pick<Duty, "names" | "module" | "memory"> & {
      /** One for each thread beside the first. */
      readonly stacks: readonly number[];
      /** Divide every task, whether it pays or not. */
      readonly always?: boolean;
    },
  ) {
    this.#tape = new Tape(new Float64Array(new SharedArrayBuffer(8 * TAPE_LENGTH)), o.names);
  }

  inParts(work: string, size: number, parts: number, part: Part): void {
    if (parts === 1) {
      part(this.operations, 0);
      return;
    }
    this.#judges.time(work, size, (divides) => {
      if (this.o.always || divides) this.#divide(...grouped(parts, part));
      else for (let i = 0; i < parts; i++) part(this.operations, i);
    });
  }

  /** Waits until an interrupted task no longer touches the memory, which then belongs to the caller. */
  settle(): void {
    const control = this.#control;
    if (isOffered(control)) offer(control, 0, 0);
    for (let turns = 0; Atomics.load(control, BUSY) > 0; turns++) {
      // After some microseconds, chances are that the other thread is waiting for this very core.
      if (turns > 2000) Atomics.wait(control, BUSY, Atomics.load(control, BUSY), 0.05);
    }
    if (Atomics.load(control, FAILED) === 1) {
      throw new Error(
        "Cannot go on with the fused network: its threads must finish their parts, but one of them failed; TURNWISE_THREADS=1 does without.",
      );
    }
  }

  #divide(parts: number, part: Part): void {
    if (!this.#started) this.#start();
    this.settle();
    const control = this.#control;
    const first = this.#record(parts, part);
    offer(control, first, parts);
    if (Atomics.load(control, ASLEEP) === 1) {
      Atomics.store(control, ASLEEP, 0);
      Atomics.notify(control, ASLEEP);
    }
    for (let i = 0; i < first; i++) part(this.operations, i);
    takeParts(control, "front", (i) => part(this.operations, i));
    this.settle();
  }

  /** Writes the share of the others to the tape, as far as there is room, and returns its first part. */
  #record(parts: number, part: Part): number {
    this.#tape.clear();
    const own = Math.ceil(parts / (1 + this.o.stacks.length));
    for (let i = parts - 1; i >= own; i--) {
      const place = this.#tape.record(part, i);
      if (!place) return i + 1;
      this.#control.set(place, PLACES + 2 * i);
    }
    return own;
  }

  #start(): void {
    this.#started = true;
    const { stacks, names, module, memory } = this.o;
    for (const stack of stacks) {
      startHelper({ names, module, memory, control: this.#control, tape: this.#tape.numbers, stack });
    }
  }
}

/** Joins the parts of a task so that there are no more than there is room for. */
function grouped(parts: number, part: Part): [parts: number, part: Part] {
  const size = Math.ceil(parts / MOST_PARTS);
  if (size === 1) return [parts, part];
  return [
    Math.ceil(parts / size),
    (operations, i) => {
      for (let j = i * size; j < Math.min(parts, (i + 1) * size); j++) part(operations, j);
    },
  ];
}

function shared(length: number): Int32Array {
  return new Int32Array(new SharedArrayBuffer(4 * length));
}
