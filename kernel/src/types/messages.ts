import type { ErrorContent, JsonObject } from "../protocol/message.js";
import type { Aliases } from "./compiler-options.js";
import type { Completions, QuickInfo } from "./engine.js";
import type { LiveNames } from "./live-names.js";
import type { PositionMap } from "./transform/edits.js";

/** A cell that is ready to run, or the reason why it must not run. */
/** Names that a cell shares with others. */
export interface CellNames {
  /** Those that it declares for later cells. */
  readonly declares: readonly string[];
  /** Those that it may use of other cells. */
  readonly uses: readonly string[];
}

export type Prepared =
  | {
      ok: true;
      code: string;
      map: PositionMap;
      /** Names that must exist before the cell runs: those of its `var`. */
      vars: string[];
      expressions: Record<string, string>;
      names?: CellNames;
      /** Lookup of its modules, if a tsconfig.json defines it. */
      aliases?: Aliases;
      /** The cell asks to leave the console. */
      exits?: true;
      /** Names to renew before it runs, if their module has changed. */
      live?: LiveNames;
      /** Findings that do not stop the cell, formatted for stderr. */
      warning?: string;
    }
  | { ok: false; error: ErrorContent; names?: CellNames };

/** The requests that the type worker answers, with their answers. */
export interface TypeRequests {
  prepare: {
    request: {
      code: string;
      name: string;
      expressions: Record<string, string>;
      /** It has run, whatever is wrong with its types: what it declares is there. */
      hasRun?: boolean;
    };
    answer: Prepared;
  };
  complete: { request: { code: string; offset: number }; answer: Completions };
  inspect: { request: { code: string; offset: number }; answer: QuickInfo | undefined };
  isComplete: { request: { code: string }; answer: JsonObject };
  /** Restores what cells have declared, since the process that knew it has ended. */
  restore: {
    request: { cells: TypeRequests["prepare"]["request"][] };
    answer: undefined;
  };
  /** Forgets all cells: the session was replaced. */
  reset: { request: object; answer: undefined };
}

type Kind = keyof TypeRequests;

/** A request on its way to the type service. */
export type TypeRequest<K extends Kind = Kind> = {
  [Each in K]: { t: "request"; id: number; kind: Each; request: TypeRequests[Each]["request"] };
}[K];

/** Reports of the type service: that it is ready, an answer, or the reason for having none. */
export type TypeReport =
  | { t: "ready" }
  | { t: "answer"; id: number; answer: TypeRequests[Kind]["answer"] }
  | { t: "failure"; id: number; failure: string };
