import type { SettingValues } from "../display/settings.js";
import type { ErrorContent, JsonObject } from "../protocol/message.js";
import type { Aliases } from "../types/compiler-options.js";
import type { LiveNames } from "../types/live-names.js";
import type { PositionMap } from "../types/transform/edits.js";

// Everything that the front and a session say to each other. Both ends switch over `t` exhaustively: a new kind does not
// compile before both ends handle it.

/** A cell to run. */
export interface ExecuteCommand {
  t: "execute";
  /** The id of the request: all output names it. */
  cell: string;
  /** The script name that stack traces show. */
  name: string;
  source: string;
  code: string;
  map: PositionMap;
  /** Names to declare before the cell runs, unless the notebook has them: those of its `var`. */
  vars: string[];
  executionCount: number;
  silent: boolean;
  allowStdin: boolean;
  /** Expressions to evaluate after the cell, already transformed. */
  expressions: Record<string, string>;
  /** Lookup of its modules, if a tsconfig.json defines it. */
  aliases?: Aliases;
  /** Names that it uses and whose last declaration has failed: they hold what an earlier cell gave them. */
  stale?: string[];
  /** Names of the notebook to renew first, by the module that they come from, if that has changed. */
  live?: LiveNames;
}

/** A comm message of the front end. */
export interface CommCommand {
  t: "comm";
  type: string;
  /** The id of the message, to which the output of its handler belongs. */
  id: string;
  content: JsonObject;
  metadata: JsonObject;
}

/** Requests of the front end to the session's main thread, which receives them between cells and at an `await`. */
export type SessionCommand =
  | ExecuteCommand
  | CommCommand
  | { t: "input"; value: string }
  /** Settings of the previous session. */
  | { t: "settings"; values: SettingValues }
  | { t: "exit" };

/**
 * A command on its way to a session process. They are numbered from 1, without a gap: V8's termination of what the main thread was
 * doing may meet the reading of commands, so these are sent again, and one that comes twice must run once.
 */
export type NumberedCommand = SessionCommand & { number: number };

/** Reports of the main thread; `cell` is the id of the request that it belongs to. */
export type SessionReport =
  | { t: "ready"; pid: number }
  | { t: "stream"; cell: string; name: "stdout" | "stderr"; text: string }
  /** An error that no cell awaits, with the text that shows it. */
  | { t: "uncaught"; cell: string; text: string; ename: string; evalue: string }
  /** An IOPub message to publish as it is. */
  | {
      t: "iopub";
      cell: string;
      msgType: string;
      content: JsonObject;
      metadata: JsonObject;
      /** The content is the first of the buffers, as JSON. */
      encoded?: true;
    }
  | { t: "input"; cell: string; prompt: string; password: boolean }
  /** The front end may open comms for this target. */
  | { t: "target"; name: string }
  /** A cell has changed settings with `%config`. */
  | { t: "settings"; values: SettingValues }
  | { t: "done"; cell: string; error: ErrorContent | null; expressions: JsonObject };

/** Requests of the front end to the bridge thread, which receives them also while a cell computes. */
export type ControlCommand =
  /** `serial` counts the cells that were sent: the interrupt is for the last of them. */
  | { t: "interrupt"; serial: number }
  | { t: "debug"; id: number; request: JsonObject }
  /** Which commands has the main thread taken? */
  | { t: "taken" }
  /** What has the value of this expression? */
  | { t: "members"; id: number; expression: string };

/** Reports of the bridge thread. */
export type ControlReport =
  | { t: "event"; event: JsonObject }
  | { t: "debug"; id: number; response: JsonObject }
  | { t: "members"; id: number; names: string[] }
  /** The interrupted cell waits for processes that ignore their signal; the next interrupt ends them. */
  | { t: "held"; processes: string[] }
  /** The main thread has taken all commands up to this number. */
  | { t: "taken"; number: number }
  /** So it has, and it needs those behind it again: V8 has ended what it was doing, or one of them has not come. */
  | { t: "missed"; number: number };
