import { Readable } from "node:stream";
import type { LineAsker } from "../host.js";
import { lineLooks } from "../line-looks.js";

/** Lets `process.stdin` ask the front end for a line when something waits for one, as `readline` does. */
export function installStdin(session: LineAsker): void {
  const stdin = new Readable({ read: () => look() });
  const look = lineLooks(session, {
    reads: () => !stdin.isPaused() && stdin.listenerCount("data") + stdin.listenerCount("readable") > 0,
    take: (line) => stdin.push(line),
  });
  Object.assign(stdin, { fd: 0, isTTY: false });
  Object.defineProperty(process, "stdin", { value: stdin, configurable: true, enumerable: true });
}
