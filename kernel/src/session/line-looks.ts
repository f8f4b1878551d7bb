// Not the global ones: those belong to a cell, and end with it.
import { clearInterval, setInterval } from "node:timers";
import type { LineAsker } from "./host.js";

const lookMs = 30;
/** A reader that has asked nothing may just be open: it gets a line only if it waits for longer. */
const quietLooks = 10;

/** A stream of lines. */
interface LineStream {
  /** Something waits for a line. */
  reads(): boolean;
  take(line: string): void;
}

/** Starts checks for a reader that waits for a line, and then asks the front end for one. */
export function lineLooks(session: LineAsker, stream: LineStream): () => void {
  let looking: ReturnType<typeof setInterval> | undefined;
  let refused = "";
  const look = (): void => {
    let quiet = 0;
    looking ??= setInterval(() => {
      const cell = session.cell();
      if (!stream.reads() || cell === "" || cell === refused) return void (quiet = 0);
      if (!session.asks() && ++quiet < quietLooks) return;
      clearInterval(looking);
      session.ask().then(
        (line) => {
          looking = undefined;
          stream.take(`${line}\n`);
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
  return look;
}
