import type { JsonObject } from "../protocol/message.js";
import type { SessionReport } from "./messages.js";

/** Takes the type and the content of an IOPub message. */
export type Collector = (msgType: string, content: JsonObject) => void;

/** Sends a report to the front; `sent` is called before anything may end this thread again. */
export type Outlet = (report: SessionReport, buffers: readonly Uint8Array[], sent: () => void) => void;

/** Sends everything that a session reports; each call returns when it has left. */
export class Output {
  /** Whether the last printed text left a line unfinished. */
  midLine = false;
  private collector: Collector | undefined;

  constructor(
    private readonly outlet: Outlet,
    private readonly currentCell: () => string,
    /** Called before each report: sees to it that it can be made. What it returns is called after that; false sends nothing. */
    private readonly prepare: () => (() => void) | false | undefined = () => undefined,
  ) {}

  /** `sent` is called before V8 may end this thread again. */
  send(report: SessionReport, buffers: readonly Uint8Array[] = [], sent: () => void = () => undefined): void {
    const after = this.prepare();
    if (after === false) return;
    try {
      this.outlet(report, buffers, sent);
    } finally {
      if (after) after();
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
    this.midLine = text[text.length - 1] !== "\n";
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
