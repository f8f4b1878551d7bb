/** The outcome of a script. */
export type Evaluation =
  | { ok: true }
  | { ok: false; thrown: unknown }
  | { ok: false; syntaxError: string; line: number; column: number };

/** Failure of a script. */
export type Failed = Exclude<Evaluation, { ok: true }>;

interface RunOptions {
  readonly pausable?: boolean;
  /** Called as soon as the script has ended, before anything that it may have replaced is relied on. */
  readonly ended?: () => void;
}

/** Runs scripts whose top-level variables are live bindings that later scripts see. */
export interface CellEvaluator {
  /** Runs a script and calls `done` with its outcome; never, if the script is ended by force. */
  run(code: string, scriptName: string, o: RunOptions, done: (result: Evaluation) => void): void;
  /** Those names of a script's `var` that have to be declared before it runs. */
  missing(names: readonly string[]): string[];
  /** Declares the names of a script of the global form before its first line. */
  declare(fresh: readonly string[], vars: readonly string[]): void;
  /** A cell has failed: names of globals that it has not come to declare mean those again. */
  uncover(): void;
  /** A script was ended by force: it will not answer. */
  abandon(): void;
  /** Lets go of what is held of the last script. */
  release(): void;
}
