import type { LineAsker } from "turnwise-kernel/internal/session/host";
import { lineLooks } from "turnwise-kernel/internal/session/line-looks";
import { refused } from "../library/errors.js";
import { EventEmitter, on } from "../library/node/events.js";

/** Replacement of `process.stdin` in a page: it flows if something listens to its data, as Node's does. */
class Stdin extends EventEmitter {
  readonly fd = 0;
  readonly isTTY = false;
  readonly readable = true;
  private encoding: string | undefined;
  /** As long as nobody has said so, it flows once it is heard. */
  private flows: boolean | undefined;
  private readonly look: () => void;

  constructor(session: LineAsker) {
    super();
    this.look = lineLooks(session, {
      reads: () => this.flows === true && this.listenerCount("data") > 0,
      take: (line) => {
        this.emit("data", this.encoding === undefined ? Buffer.from(line) : line);
        this.look();
      },
    });
    this.on("newListener", (name) => {
      if (name === "data" && this.flows !== false) this.resume();
    });
  }

  pause(): this {
    this.flows = false;
    return this;
  }

  resume(): this {
    this.flows = true;
    this.look();
    return this;
  }

  isPaused(): boolean {
    return this.flows === false;
  }

  setEncoding(encoding = "utf8"): this {
    this.encoding = encoding;
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<unknown> {
    try {
      for await (const [piece] of on(this, "data")) yield piece;
    } finally {
      this.pause();
    }
  }

  readonly read = refused("read bytes of process.stdin: a page asks for lines. Use readline.");
  readonly pipe = refused("pipe process.stdin: a page has no streams of Node. Use readline.");
}

/** Lets `process.stdin` ask the front end for a line when something waits for one, as `readline` does. */
export function installStdin(session: LineAsker): void {
  const stdin = new Stdin(session);
  Object.defineProperty(process, "stdin", { value: stdin, configurable: true, enumerable: true });
}
