import { Readable } from "node:stream";
// Not the global one: that belongs to a cell, and ends with it.
import { setInterval } from "node:timers";
import type { LineAsker } from "../host.js";

const lookMs = 30;
/** A reader that has asked nothing may just be open: it gets a line only if it waits for longer. */
const quietLooks = 10;

/** Lets `process.stdin` ask the front end for a line when something waits for one, as `readline` does. */
export function installStdin(session: LineAsker): void {
  let looking: NodeJS.Timeout | undefined;
  let refused = "";
  const stdin = new Readable({ read: () => look() });
  const look = (): void => {
    let quiet = 0;
    looking ??= setInterval(() => {
      const reads = !stdin.isPaused() && stdin.listenerCount("data") + stdin.listenerCount("readable") > 0;
      const cell = session.cell();
      if (!reads || cell === "" || cell === refused) return void (quiet = 0);
      if (!session.asks() && ++quiet < quietLooks) return;
      clearInterval(looking);
      session.ask().then(
        (line) => {
          looking = undefined;
          stdin.push(`${line}\n`);
        },
        (error: unknown) => {
          // A later cell may be answered.
          looking = undefined;
          refused = cell;
          look();
          throw error;
        },
      );
    }, lookMs).unref();
  };
  Object.assign(stdin, { fd: 0, isTTY: false });
  Object.defineProperty(process, "stdin", { value: stdin, configurable: true, enumerable: true });
}
