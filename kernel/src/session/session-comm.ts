import type { Comm, CommExtras, CommListener, CommMessage, Listen } from "../protocol/comm.js";
import type { JsonObject } from "../protocol/message.js";
import { described } from "./json-data.js";
import { SafeSet } from "./safe-collections.js";

/** Sends a message of a comm under its type. */
export type SendComm = (
  msgType: "comm_open" | "comm_msg" | "comm_close",
  content: JsonObject,
  o: CommExtras,
) => void;

const events = ["message", "close"] as const;
type Event = (typeof events)[number];

/** Messages that a comm keeps until somebody listens: a cell may wait for something between opening it and listening. */
const mostKept = 100;

/** One end of a comm, in the session. */
export class SessionComm implements Comm {
  private readonly listeners = { message: new SafeSet<CommListener>(), close: new SafeSet<CommListener>() };
  private readonly assigned: Partial<Record<Event, CommListener>> = {};
  private kept: CommMessage[] | undefined = [];
  private closedBy: "the front end" | "the notebook" | undefined;

  constructor(
    readonly id: string,
    readonly target: string,
    private readonly sendAs: SendComm,
    private readonly forget: () => void,
  ) {}

  get isOpen(): boolean {
    return this.closedBy === undefined;
  }

  get onMessage(): Listen {
    return (listener) => this.on("message", listener);
  }

  set onMessage(listener: CommListener) {
    this.assign("message", listener);
  }

  get onClose(): Listen {
    return (listener) => this.on("close", listener);
  }

  set onClose(listener: CommListener) {
    this.assign("close", listener);
  }

  on(event: Event, listener: CommListener): () => void {
    this.check(event, listener);
    this.listeners[event].add(listener);
    if (event === "message") this.deliverKept();
    return () => this.listeners[event].delete(listener);
  }

  off(event: Event, listener: CommListener): void {
    this.check(event, listener);
    this.listeners[event].delete(listener);
  }

  send(data: JsonObject = {}, o: CommExtras = {}): void {
    if (this.closedBy !== undefined) {
      throw new TypeError(
        `Cannot send on the comm ${JSON.stringify(this.target)}: it must be open, but ${this.closedBy} has closed it.`,
      );
    }
    this.sendAs("comm_msg", { comm_id: this.id, data }, o);
  }

  close(data: JsonObject = {}, o: CommExtras = {}): void {
    if (this.closedBy !== undefined) return;
    // Sent first: data that cannot be sent leave it open.
    this.sendAs("comm_close", { comm_id: this.id, data }, o);
    this.end("the notebook");
  }

  /** Takes note that it is closed. */
  end(by: "the front end" | "the notebook"): void {
    this.closedBy ??= by;
    this.forget();
  }

  /** Hands an event of the front end to each listener, by `run`, which reports an error and goes on. */
  deliver(event: Event, message: CommMessage, run: (act: () => unknown) => void): void {
    const listeners = this.listenersOf(event);
    if (listeners.length === 0 && event === "message" && this.kept) {
      this.kept.push(message);
      if (this.kept.length > mostKept) this.kept.shift();
    }
    listeners.forEach((listener) => run(() => listener(message)));
  }

  private listenersOf(event: Event): CommListener[] {
    const found: CommListener[] = [];
    const assigned = this.assigned[event];
    if (assigned) found.push(assigned);
    this.listeners[event].forEach((listener) => found.push(listener));
    return found;
  }

  private assign(event: Event, listener: CommListener | null | undefined): void {
    if (listener === null || listener === undefined) {
      Reflect.deleteProperty(this.assigned, event);
      return;
    }
    this.check(event, listener);
    this.assigned[event] = listener;
    if (event === "message") this.deliverKept();
  }

  private deliverKept(): void {
    const kept = this.kept ?? [];
    this.kept = undefined;
    // After the statement that listens, whose listener may use what is declared below it.
    for (const message of kept) queueMicrotask(() => this.deliver("message", message, (act) => void act()));
  }

  private check(event: unknown, listener: unknown): void {
    const action = `listen to the comm ${JSON.stringify(this.target)}`;
    if (!events.includes(event as Event))
      throw new RangeError(`Cannot ${action}: the event must be message or close, got ${described(event)}.`);
    if (typeof listener !== "function")
      throw new TypeError(`Cannot ${action}: the listener must be a function, got ${described(listener)}.`);
  }
}
