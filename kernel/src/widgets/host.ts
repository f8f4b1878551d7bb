import type { Comm, CommExtras, CommMessage } from "../protocol/comm.js";
import type { JsonObject } from "../protocol/message.js";

/** Services of their session that widgets need. */
export interface WidgetHost {
  create(target: string, data: JsonObject, o?: CommExtras & { id?: string }): Comm;
  /** Whether a comm of this id is open. */
  hasComm(id: string): boolean;
  /** Registers what happens when the front end opens a comm for a target; returns a function that takes it back. */
  registerTarget(target: string, onOpen: (comm: Comm, opening: CommMessage) => unknown): () => void;
  broadcast(msgType: string, content: JsonObject, o: CommExtras): void;
  /** Runs code and hands what it prints and displays to `accept` instead of to the front end. */
  collect<T>(accept: (msgType: string, content: JsonObject) => void, run: () => T): T;
  /** Handles what the front end has sent in the meantime, without yielding the thread. */
  poll(): void;
  /** Reports an error of an event handler, which no cell awaits. */
  report(error: unknown): void;
}

const hostSymbol = Symbol.for("turnwise.widgets");

/** Makes the widgets of this process belong to a session. */
export function setWidgetHost(host: WidgetHost): void {
  Object.defineProperty(globalThis, hostSymbol, { value: host, configurable: true, enumerable: false });
}

/** Whether code runs in a kernel session, where widgets can be made. */
export function hasWidgetHost(): boolean {
  return hostSymbol in globalThis;
}

/** @throws {TypeError} outside a kernel session */
export function widgetHost(): WidgetHost {
  const host = (globalThis as { [hostSymbol]?: WidgetHost })[hostSymbol];
  if (!host)
    throw new TypeError(
      "Cannot use widgets: they must be in a notebook cell, and there is no kernel session here.",
    );
  return host;
}

/**
 * The same for what needs no widgets.
 *
 * @throws {TypeError} outside a kernel session
 */
export function commHost(called: string): WidgetHost {
  if (hasWidgetHost()) return widgetHost();
  throw new TypeError(
    `Cannot call ${called}: it must run in a notebook cell, and there is no kernel session here.`,
  );
}

/** Handles widget events inside a synchronous loop: call it once per iteration. */
export function pollEvents(): void {
  widgetHost().poll();
}
