import { answerOffset, answerSlot } from "../shared-memory.js";

/** How long a look at the shared memory may last before an interrupt is looked at. */
const longestMs = 50;

/** Answers to questions for which a cell waits while nothing else runs; only shared memory brings them. */
export class Answers {
  private readonly numbers: Int32Array | undefined;
  private taken = 0;

  constructor(private readonly shared: SharedArrayBuffer | undefined) {
    this.numbers = shared && new Int32Array(shared);
  }

  /** @throws {Error} where a cell cannot wait */
  needed(): void {
    if (!this.shared)
      throw new Error(
        "Cannot wait for an answer here as the page must be isolated: it is not; `await input(...)` asks without",
      );
  }

  /** Lets this thread sleep until an answer comes. */
  rest(ms: number): void {
    if (this.numbers) Atomics.wait(this.numbers, answerSlot.count, this.taken, Math.min(ms, longestMs));
  }

  /** The answer that has come; undefined if there is none. */
  take(): string | undefined {
    const { numbers, shared } = this;
    if (!numbers || Atomics.load(numbers, answerSlot.count) === this.taken) return undefined;
    this.taken = Atomics.load(numbers, answerSlot.count);
    // Text is not decoded from shared memory.
    const end = answerOffset + numbers[answerSlot.length]!;
    return new TextDecoder().decode(new Uint8Array(shared!).slice(answerOffset, end));
  }

  /** Whether the message of an answer is about one that was taken already. */
  isTaken(): boolean {
    return this.numbers !== undefined && Atomics.load(this.numbers, answerSlot.count) === this.taken;
  }

  /** An answer was heard as a message. */
  heard(): void {
    if (this.numbers) this.taken = Atomics.load(this.numbers, answerSlot.count);
  }
}
