import type { Stacks } from "./stacks.js";

/** Place of an error in a file; line and column count from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** The error of a file that cannot be run as it is written, at the place that is to be fixed. */
export function placed({ line, column, message }: Place, path: string, stacks: Stacks): Error {
  const file = path.replace(/^.*[\\/]/, "");
  const said = `Cannot import ${file}: it has a syntax error: line ${line}, column ${column}: ${message}`;
  return stacks.at(new SyntaxError(said), path, line, column);
}
