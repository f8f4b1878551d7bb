import { refused } from "../errors.js";
import { Lines, type QuestionOptions } from "../lines.js";

/** Replacement of Node's `readline/promises` in cells of a page. */
export class Interface extends Lines {
  question(text: string, o?: QuestionOptions): Promise<string> {
    return this.answer(text, o);
  }
}

export const createInterface = (given: unknown, output?: unknown): Interface => new Interface(given, output);

/** Moves the cursor of a terminal. */
export const Readline = refused(
  "move a cursor: a web page has no terminal. Use display(...) with its update.",
);

export default { Interface, createInterface, Readline };
