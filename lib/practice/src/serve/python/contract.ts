/** An argument of a tool in Python. */
export interface PythonParameter {
  /** The name in Python, which differs from the server's where Python reserves that. */
  readonly name: string;
  readonly key: string;
  /** Every value that it may have; undefined where it is free text. */
  readonly values: readonly string[] | undefined;
  /** One line for the model. */
  readonly about: string;
  readonly required: boolean;
}

/** A tool as a method in Python. */
export interface PythonTool {
  readonly name: string;
  /** The name that the server knows. */
  readonly key: string;
  readonly about: string;
  readonly parameters: readonly PythonParameter[];
  /** The server's JSON schema of its arguments. */
  readonly schema: Readonly<Record<string, unknown>>;
}

/** A served world as the generators of clients see it. */
export interface PythonWorld {
  readonly id: string;
  /** The name of the class: `LookUp` for LookUp-v0. */
  readonly className: string;
  /** The name of the file without its ending: `lookup_trl` for LookUp-v0 and TRL. */
  readonly moduleName: string;
  /** The command that serves the world. */
  readonly command: string;
  readonly url: string;
  /** The first part of every prompt: a sentence or two for the model. */
  readonly instructions: readonly string[];
  readonly maxTurns: number;
  readonly tools: readonly PythonTool[];
}

/** The client of one trainer. */
export interface Trainer {
  /** Name in print, and the release that the client is written for. */
  readonly title: string;
  readonly release: string;
  /** Names that a tool's method may not have there. */
  readonly reserved: readonly string[];
  write(world: PythonWorld): string;
}
