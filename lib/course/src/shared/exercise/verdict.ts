import { displaySymbol, type MimeBundle } from "turnwise/internal/base/display";
import { nextAfter } from "./next";

/** An answer is not right yet. The message is one sentence that names the mistake, never the answer. */
export class NotYet extends Error {
  override readonly name = "NotYet";

  constructor(exercise: string, sentence: string) {
    super(`${exercise}: ${sentence}`);
    // Where the checker found the mistake is no help, and in a page it is seven lines of packed code.
    this.stack = `${this.name}: ${this.message}`;
  }
}

/** An answer that passed; a notebook shows it as one line. */
export class Passed {
  constructor(
    readonly exercise: string,
    /** Attempt. */
    readonly tried: string,
  ) {}

  toString(): string {
    return `${this.exercise}: passed (${this.tried}). ${nextAfter(this.exercise)}`.trimEnd();
  }

  [displaySymbol](): MimeBundle {
    return { "text/plain": this.toString() };
  }
}

/** @throws {TypeError} if the answer is not a function */
export function expectFunction(exercise: string, answer: unknown): void {
  if (typeof answer === "function") return;
  const got = answer === null ? "null" : typeof answer;
  throw new TypeError(`Cannot check ${exercise}: the answer must be a function, got ${got}.`);
}

/**
 * Rejects names from an earlier cell: after a failed cell they keep their old values; the kernel records those that the
 * running cell uses.
 *
 * @throws {NotYet} if the answer is one of them
 */
export function expectFresh(exercise: string): void {
  const noted = (globalThis as Record<symbol, unknown>)[Symbol.for("turnwise.stale")];
  if (!Array.isArray(noted) || noted.length === 0) return;
  throw new NotYet(
    exercise,
    `the cell that defines ${noted.join(", ")} failed when it last ran, so this would grade an earlier version; ` +
      "fix that cell and run it first.",
  );
}
