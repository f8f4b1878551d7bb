import { refused } from "../errors.js";
import { Lines, type Answered, type Output, type QuestionOptions } from "../lines.js";
import * as promises from "./readline-promises.js";

/** Replacement of Node's `readline` in cells of a page: lines of `process.stdin`, for which the front end is asked. */
export { promises };

export class Interface extends Lines {
  question(text: string, o: QuestionOptions | Answered, answered?: Answered): void {
    const [then, signal] = typeof o === "function" ? [o, undefined] : [answered, o.signal];
    if (typeof then === "function" && !signal?.aborted) this.put(text, then, signal);
  }

  static {
    Object.defineProperty(this.prototype.question, Symbol.for("nodejs.util.promisify.custom"), {
      value(this: Interface, text: string, o?: QuestionOptions): Promise<string> {
        return this.answer(text, o);
      },
    });
  }
}

export const createInterface = (given: unknown, output?: unknown): Interface => new Interface(given, output);

const escape = "\u001b[";

/** Writes what moves the cursor of a terminal. */
function written(stream: Output, text: string, done?: () => void): boolean {
  stream.write(escape + text);
  if (done) queueMicrotask(done);
  return true;
}

export function clearLine(stream: Output, side: number, done?: () => void): boolean {
  return written(stream, side < 0 ? "1K" : side > 0 ? "0K" : "2K", done);
}

export function clearScreenDown(stream: Output, done?: () => void): boolean {
  return written(stream, "0J", done);
}

export function cursorTo(stream: Output, x: number, y?: number | (() => void), done?: () => void): boolean {
  if (typeof y === "number") return written(stream, `${y + 1};${x + 1}H`, done);
  return written(stream, `${x + 1}G`, y ?? done);
}

export function moveCursor(stream: Output, dx: number, dy: number, done?: () => void): boolean {
  const along = dx === 0 ? "" : `${Math.abs(dx)}${dx < 0 ? "D" : "C"}`;
  const down = dy === 0 ? "" : `${along === "" ? "" : escape}${Math.abs(dy)}${dy < 0 ? "A" : "B"}`;
  if (along + down === "") {
    if (done) queueMicrotask(done);
    return true;
  }
  return written(stream, along + down, done);
}

export const emitKeypressEvents = refused("report single keys: a web page has no terminal. Read lines.");

export default {
  Interface,
  createInterface,
  clearLine,
  clearScreenDown,
  cursorTo,
  moveCursor,
  emitKeypressEvents,
  promises,
};
