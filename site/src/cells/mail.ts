import type { SessionCommand } from "turnwise-kernel/internal/session/messages";
import { SharedMail } from "../shared/shared-mail.js";

/** Longest sleep of this thread before it checks for an interrupt. */
const longestMs = 50;

/**
 * Answers to questions and moves of sliders while a cell computes, which shared memory delivers before the event loop
 * does. Each is taken once, in the order in which the page has sent them.
 */
export class Mail {
  private readonly shared: SharedMail | undefined;
  /** The number of the last that was taken. */
  private taken = 0;
  /** Number of messages at the last check. */
  private seen = 0;

  constructor(memory: SharedArrayBuffer | undefined) {
    this.shared = memory && new SharedMail(memory);
  }

  /** @throws {Error} where a cell cannot wait */
  needed(): void {
    if (!this.shared)
      throw new Error(
        "Cannot wait for an answer here: the page must be isolated. `await input(...)` works without.",
      );
  }

  /** Lets this thread sleep until something comes. */
  rest(ms: number): void {
    this.shared?.sleep(this.seen, Math.min(ms, longestMs));
  }

  /** The next that has come in shared memory; undefined if there is none, or if one before it comes as a message alone. */
  next(): SessionCommand | undefined {
    const { shared } = this;
    if (!shared) return undefined;
    this.seen = shared.count;
    for (let letter = shared.first(); letter && letter.serial <= this.taken + 1; letter = shared.first()) {
      shared.drop();
      if (letter.serial <= this.taken) continue;
      this.taken = letter.serial;
      return JSON.parse(letter.text) as SessionCommand;
    }
    return undefined;
  }

  /** A message has come through the event loop; true if it was taken from shared memory before. */
  wasTaken(serial: number): boolean {
    if (serial <= this.taken) return true;
    this.taken = serial;
    return false;
  }
}
