import type { JsonObject } from "../../protocol/message.js";

/** The global symbol under which the main thread shows a value for the debugger. */
export const bundleSymbol = "turnwise.bundle";

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

/** The parameters of the event `Debugger.paused`. */
export interface Paused {
  callFrames: CallFrame[];
  reason: string;
  hitBreakpoints?: string[];
  data?: { description?: string };
}
