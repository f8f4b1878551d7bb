import { displaySymbol, type MimeBundle } from "../base/display";

/** An answer is not right yet. The message is one sentence that names the mistake, never the answer. */
export class NotYet extends Error {
  override readonly name = "NotYet";

  constructor(exercise: string, sentence: string) {
    super(`${exercise}: ${sentence}`);
  }
}

/** An answer that passed; a notebook shows it as one line. */
export class Passed {
  constructor(
    readonly exercise: string,
    /** What was tried. */
    readonly tried: string,
  ) {}

  toString(): string {
    return `${this.exercise}: passed (${this.tried}).`;
  }

  [displaySymbol](): MimeBundle {
    return { "text/plain": this.toString() };
  }
}

/** @throws {TypeError} if the answer is not a function */
export function expectFunction(exercise: string, answer: unknown): void {
  if (typeof answer === "function") return;
  const got = answer === null ? "null" : typeof answer;
  throw new TypeError(`Cannot check ${exercise} as the answer must be a function: got ${got}`);
}
