import { Console } from "node:console";
import type { JsonObject } from "../protocol/message.js";
import { encodePacket, rest, writeBlocking } from "../process/pipe.js";
import type { SessionReport } from "./messages.js";
import { slot } from "./state.js";

/** The file descriptors that the front opens for a session. */
export const fds = { out: 3, commands: 4, control: 5 } as const;

/** An announced termination comes within a millisecond, or not at all. */
const longestWaitMs = 1_000;

/** Takes the type and the content of an IOPub message. */
export type Collector = (msgType: string, content: JsonObject) => void;

/** Sends everything that a session reports; each call returns when the bytes have left. */
export class Output {
  /** What was printed last is the beginning of a line. */
  midLine = false;
  private collector: Collector | undefined;

  constructor(
    private readonly fd: number,
    private readonly currentCell: () => string,
    private readonly state: Int32Array,
  ) {}

  /** `sent` is called before V8 may end this thread again. */
  send(report: SessionReport, buffers: readonly Uint8Array[] = [], sent: () => void = () => undefined): void {
    const packet = encodePacket<SessionReport>(report, buffers);
    this.enter();
    try {
      writeBlocking(this.fd, packet);
      sent();
    } finally {
      Atomics.store(this.state, slot.writing, 0);
    }
  }

  /** Claims the pipe, unless V8 is about to end this thread, which then happens here first. */
  private enter(): void {
    Atomics.store(this.state, slot.writing, 1);
    for (let turn = 0; turn < longestWaitMs && Atomics.load(this.state, slot.forced) === 1; turn++) {
      Atomics.store(this.state, slot.writing, 0);
      rest(1);
      Atomics.store(this.state, slot.writing, 1);
    }
  }

  /** Runs code and hands what it prints and displays to `accept` instead of to the front end. */
  collect<T>(accept: Collector, run: () => T): T {
    const outer = this.collector;
    this.collector = accept;
    try {
      return run();
    } finally {
      this.collector = outer;
    }
  }

  /** Reports an error that no cell awaits; the front end also learns its name, unless the output is collected. */
  uncaught(text: string, ename: string, evalue: string): void {
    if (this.collector) this.collector("stream", { name: "stderr", text });
    else this.send({ t: "uncaught", cell: this.currentCell(), text, ename, evalue });
  }

  stream(name: "stdout" | "stderr", text: string, cell = this.currentCell()): void {
    if (text === "") return;
    this.midLine = !text.endsWith("\n");
    if (this.collector) this.collector("stream", { name, text });
    else this.send({ t: "stream", cell, name, text });
  }

  /** An IOPub message that belongs to a cell. */
  publish(
    msgType: string,
    content: JsonObject,
    o: { cell?: string; metadata?: JsonObject; buffers?: readonly Uint8Array[] } = {},
  ): void {
    if (this.collector && !msgType.startsWith("comm_")) return this.collector(msgType, content);
    this.send(
      { t: "iopub", cell: o.cell ?? this.currentCell(), msgType, content, metadata: o.metadata ?? {} },
      o.buffers,
    );
  }
}

/** Sends what is printed through `console` and `process.stdout` to the running cell instead of a terminal. */
export function captureOutput(output: Output, clear: () => void): void {
  const write =
    (name: "stdout" | "stderr") =>
    (chunk: string | Uint8Array, encoding?: unknown, done?: unknown): boolean => {
      output.stream(name, typeof chunk === "string" ? chunk : Buffer.from(chunk).toString("utf8"));
      const callback = [encoding, done].find((arg) => typeof arg === "function") as (() => void) | undefined;
      if (callback) process.nextTick(callback);
      return true;
    };
  // Bare objects instead of streams, and no error handling: otherwise Node's console would add and remove listeners and
  // wait for a callback at each line.
  const target = (name: "stdout" | "stderr"): NodeJS.WritableStream =>
    ({ write: write(name) }) as unknown as NodeJS.WritableStream;
  for (const name of ["stdout", "stderr"] as const) {
    Object.defineProperty(process[name], "write", { value: write(name), writable: true, configurable: true });
  }
  const cellConsole = new Console({
    stdout: target("stdout"),
    stderr: target("stderr"),
    colorMode: false,
    ignoreErrors: false,
  });
  cellConsole.clear = clear;
  Object.defineProperty(globalThis, "console", { value: cellConsole, writable: true, configurable: true });
}
