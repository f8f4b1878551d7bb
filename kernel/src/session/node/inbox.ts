import { PacketReader, rest } from "../../process/pipe.js";
import type { NumberedCommand, SessionCommand } from "../messages.js";
import { slot } from "../state.js";

/** V8 ends what it has been asked to end within milliseconds, or not at all. */
const longestEndMs = 1_000;

/** The session behind an inbox. */
interface Recipient {
  /** Handles a command, and calls `taken` where its effects begin. */
  handle(command: SessionCommand, buffers: Buffer[], taken: () => void): void;
  /** A later command has come, and the next one has not. */
  missed(): void;
}

/**
 * The commands of the front, each once and in their order.
 *
 * V8's termination may cut off the reading of commands anywhere: then the front sends again all that have not been taken.
 */
export class Inbox {
  private readonly reader: PacketReader<NumberedCommand>;
  /** The number for which was asked, since a later one has come. */
  private asked = 0;

  constructor(
    private readonly state: Int32Array,
    private readonly o: Recipient,
  ) {
    this.reader = new PacketReader(({ body, buffers }) => this.take(body, buffers), undefined, {
      gaps: true,
    });
  }

  push(chunk: Buffer): void {
    this.reader.push(chunk);
  }

  private take(command: NumberedCommand, buffers: Buffer[]): void {
    const { state } = this;
    const { number } = command;
    const next = state[slot.taken]! + 1;
    if (number < next) return;
    if (number > next) {
      if (this.asked !== next) this.o.missed();
      this.asked = next;
      return;
    }
    const taken = (): void => {
      if (state[slot.taken]! >= number) return;
      Atomics.store(state, slot.entered, number);
      // By that, the bridge ends no more of what ran before. What it has just asked V8 to end, V8 ends here: the command comes again.
      for (let turn = 0; turn < longestEndMs && Atomics.load(state, slot.ending) === 1; turn++) rest(1);
      state[slot.taken] = number;
    };
    try {
      this.o.handle(command, buffers, taken);
    } finally {
      // Not after a termination, which passes by.
      taken();
    }
  }
}
