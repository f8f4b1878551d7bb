import type { CellSource } from "./stacks.js";

/** A cell that runs: the name of its script, and how its code maps to the source. */
export interface CellScript extends CellSource {
  name: string;
}

/**
 * The few numbers that the session's main thread and its bridge worker share.
 * They live in shared memory, since the main thread may be inside a loop that never returns.
 */
export const slot = {
  /** 0: nothing to do, 1: a stop is wanted, 2: cell code has noticed, by an exception. */
  stop: 0,
  /** Serial number of the running cell; 0 when none runs. */
  running: 1,
  /** Counts the interrupts that the main thread's event loop has received. */
  heard: 2,
  /** 1 from when V8 is asked to end the running cell until the main thread knows. */
  forced: 3,
  /** 1 while the main thread writes to the front: V8 must not end it in the middle of a packet. */
  writing: 4,
  /** Serial number of the last cell that was started. */
  started: 5,
  /** 1 while a debugger is attached: a cell waits for its breakpoints before it starts. */
  debugging: 6,
  /** 1 from when V8 is asked to end what the main thread does until it has done so. */
  ending: 7,
  /** Number of the last command that the main thread has taken. */
  taken: 8,
  /** Number of the command that the main thread has begun with: what ran before it is over. */
  entered: 9,
  /** Serial number of the last cell that the last interrupt may stop: it was sent before a later one. */
  meant: 10,
  /** 1 while code of another cell than the running one has the main thread: a timer or a handler that it has left behind. */
  foreign: 11,
  /** 1 from when that code may no longer finish what it is at, since an interrupted cell waits for it. */
  insists: 12,
} as const;

/** The size of the shared memory in bytes. */
export const stateBytes = 52;

/** Data that the main thread passes to the bridge worker. */
export interface BridgeData {
  state: Int32Array;
  controlFd: number;
  /** The names of the global object before any cell has run. */
  builtIn: readonly string[];
}

/** Requests of the main thread to the bridge worker: a cell is about to run, a command has not come, or the process is to exit. */
export type BridgeRequest = { t: "cell"; script: CellScript } | { t: "missed" } | { t: "exit" };

/** Messages of the bridge worker to the main thread. */
export type BridgeMessage =
  /** `started` is the last cell that had started by then: what later ones begin is left alone. */
  | {
      t: "interrupt";
      started: number;
      /** Sent while nothing ran: not for the cell that runs now. */ earlier?: true;
    }
  /** Each termination is told twice, with the same count. */
  | { t: "terminated"; serial: number; started: number; count: number }
  /** For the cell of this script; told again after a termination, which may have cut it off. */
  | { t: "breakpointsSet"; name: string };
