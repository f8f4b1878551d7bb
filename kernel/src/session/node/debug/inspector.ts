import type { JsonObject } from "../../../protocol/message.js";

export { bundleSymbol } from "../../hosts.js";

/** Sends one command of the Chrome DevTools protocol to the session's main thread. */
export type Post = (method: string, parameters?: JsonObject) => Promise<JsonObject>;

/** A place in a script; both count from 0. */
export interface ScriptLocation {
  scriptId: string;
  lineNumber: number;
  columnNumber?: number;
}

/** V8's description of a value. */
export interface RemoteObject {
  type: string;
  subtype?: string;
  className?: string;
  value?: unknown;
  unserializableValue?: string;
  description?: string;
  objectId?: string;
}

/** One frame of a paused stack. */
export interface CallFrame {
  callFrameId: string;
  functionName: string;
  location: ScriptLocation;
  url: string;
  scopeChain: { type: string; name?: string; object: RemoteObject }[];
}

/** Calls that led to a callback or to the end of a wait, from the newest to the oldest. */
export interface AsyncStack {
  /** "await", "Timeout", "Promise.then" and others. */
  description?: string;
  callFrames: ScriptLocation[];
  parent?: AsyncStack;
}

/** The parameters of the event `Debugger.paused`. */
export interface Paused {
  callFrames: CallFrame[];
  asyncStackTrace?: AsyncStack;
  reason: string;
  hitBreakpoints?: string[];
  /** Of an exception, the value that was thrown. */
  data?: RemoteObject;
}

/** A value in the form in which commands take it. */
export function argumentOf(value: RemoteObject): JsonObject {
  if (value.objectId !== undefined) return { objectId: value.objectId };
  return value.unserializableValue !== undefined
    ? { unserializableValue: value.unserializableValue }
    : { value: value.value };
}
