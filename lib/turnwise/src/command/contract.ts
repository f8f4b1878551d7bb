/**
 * Context that a command gets in addition to its arguments. A package declares commands in `jupyterKernel.commands` of
 * its package.json.
 */
export interface CommandContext {
  /** The name under which the user ran it. */
  readonly command: string;
  /** The program that the user ran, for messages: `turnwise`. */
  readonly program: string;
  /** The folder in which the command was run. */
  readonly root: string;
  /** The words that start the program on this machine, for job scripts. */
  readonly argv: readonly string[];
}

/** A module that `jupyterKernel.commands` names. */
export interface CommandModule {
  /** Reads its own arguments, `--help` among them, and resolves to the exit code. */
  run(args: string[], context: CommandContext): number | Promise<number>;
}

/** An error that is the user's to fix: printed as its message and advice, without a stack. */
export class Complaint extends Error {
  constructor(
    message: string,
    readonly advice = "",
  ) {
    super(message);
    this.name = "Complaint";
  }
}
