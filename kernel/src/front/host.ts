import type { Header, JsonObject, Message } from "../protocol/message.js";
import type { SessionCommand, SessionReport } from "../session/messages.js";
import type { TypeRequests } from "../types/messages.js";

// What differs where the kernel runs as processes of Node and where it runs in a web page; the rest of the front is the same.

/** The channels on which requests come in. */
export type InChannel = "shell" | "control" | "stdin";

/** Sends an IOPub message under a request. */
export type Publish = (
  msgType: string,
  content: JsonObject,
  parent: Partial<Header>,
  o?: { metadata?: JsonObject; buffers?: Buffer[] },
) => void;

/** The way of messages between the kernel and the front ends. */
export interface Transport {
  bind(): Promise<void>;
  /** Starts to receive. */
  listen(handle: (channel: InChannel, message: Message) => void): void;
  /** Sends a reply to the peer that asked, on the channel where it asked. */
  reply(channel: InChannel, request: Message, msgType: string, content: JsonObject): void;
  /** Sends a message to all front ends. */
  publish: Publish;
  close(): Promise<void>;
}

/** Events of a session for the front end. */
export interface SessionEvents {
  onReport(report: SessionReport, buffers: Buffer[]): void;
  /** Text of native code or child processes, which did not pass through the session's console. */
  onRawOutput(name: "stdout" | "stderr", text: string): void;
  /** An event of the debugger, such as a stop at a breakpoint. */
  onDebugEvent(event: JsonObject): void;
  /** The interrupted cell waits for these processes, which the next interrupt ends. */
  onHeld(processes: readonly string[]): void;
  /** The session has ended; `how` in words. Not called after `stop`. */
  onDeath(how: string): void;
}

/** Runner of the cells: a process, or a worker of the page. */
export interface Session {
  send(command: SessionCommand, buffers?: readonly Uint8Array[]): void;
  /** Starts the interrupt ladder of the session; works even while a cell computes. */
  interrupt(): void;
  /** Hands a request of the Debug Adapter Protocol to the debugger, which answers even while a cell is halted. */
  debug(request: JsonObject): Promise<JsonObject>;
  /** The names of what a value of the session has; none if it does not answer soon. */
  members(expression: string): Promise<string[]>;
  /** Ends the session and whatever it started; it may finish by itself first, unless `now`. */
  stop(o?: { now?: boolean }): Promise<void>;
}

/** Factory of sessions. */
export interface Sessions {
  open(events: SessionEvents): Session;
  /** Whether one more waits, so that a new one is there at once. */
  readonly spare: boolean;
}

/** Service that answers questions about types and prepares cells. */
export interface Types {
  ask<K extends keyof TypeRequests>(
    kind: K,
    request: TypeRequests[K]["request"],
  ): Promise<TypeRequests[K]["answer"]>;
  /** Nobody waits for the check of a cell any more. */
  abandonCheck(): void;
}

/** All that a cell has printed, where it is kept; `size` in characters. */
export interface KeptText {
  readonly path: string;
  readonly size: number;
}

/** Keeps all that a cell prints, if that is more than a notebook can take. */
export interface PrintedText {
  /** A cell starts; `name` is that of its file. */
  begin(cell: string, name: string): void;
  add(cell: string, text: string): void;
  /** A part of a cell's output is left out; says where all of it is. */
  cut(cell: string): string | undefined;
  /** A cell has ended: where all of its output is, and its size, if something was left out and is kept. */
  end(cell: string): KeptText | undefined | Promise<KeptText | undefined>;
}

/** Everything that the queue needs of where it runs. */
export interface QueueHost {
  readonly sessions: Sessions;
  readonly types: Types;
  readonly printed: PrintedText;
  /** Text that belongs to no cell. */
  log(text: string): void;
}
