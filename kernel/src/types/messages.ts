import type { JsonObject } from "../protocol/message.js";
import type { Completions, QuickInfo } from "./engine.js";
import type { PositionMap } from "./transform/edits.js";

/** What a type error does to a cell. */
export type TypePolicy = "error" | "warn" | "off";

/** A cell that is ready to run, or the reason why it must not. */
export type Prepared =
  | {
      ok: true;
      code: string;
      map: PositionMap;
      expressions: Record<string, string>;
      /** Findings that do not stop the cell, formatted for stderr. */
      warning?: string;
    }
  | { ok: false; error: { ename: string; evalue: string; traceback: string[] } };

/** The requests that the type worker answers, with their answers. */
export interface TypeRequests {
  prepare: {
    request: { code: string; name: string; expressions: Record<string, string> };
    answer: Prepared;
  };
  complete: { request: { code: string; offset: number }; answer: Completions };
  inspect: { request: { code: string; offset: number }; answer: QuickInfo | undefined };
  isComplete: { request: { code: string }; answer: JsonObject };
  /** Takes in again what cells have declared: the process that knew it has ended. */
  restore: {
    request: { cells: TypeRequests["prepare"]["request"][] };
    answer: undefined;
  };
  /** Forgets all cells: the session was replaced. */
  reset: { request: object; answer: undefined };
}

/** A request on its way to the worker. */
export interface TypeMessage<K extends keyof TypeRequests = keyof TypeRequests> {
  id: number;
  kind: K;
  request: TypeRequests[K]["request"];
}

/** An answer on its way back. */
export interface TypeAnswer {
  id: number;
  answer?: unknown;
  failure?: string;
}
