import type { LogReader } from "./logReader";

/**
 * Refuses a log without anything to judge.
 *
 * @throws {RangeError} if it has no line, or none with metrics
 */
export function expectRead(reader: LogReader, size: number, records: number): void {
  if (size === 0 || (reader.container === undefined && reader.zeros === 0)) {
    throw new RangeError(
      `Cannot read a log as it must have a line: ${size === 0 ? "current length is 0" : `all of its ${size} bytes are blanks`}`,
    );
  }
  if (reader.container === undefined) {
    throw new RangeError(`Cannot read a log as it must have a line: all of its ${reader.zeros} bytes are 0`);
  }
  if (reader.cut !== undefined && records === 0) {
    throw new RangeError(
      `Cannot read a log as a line must be whole: its only one is cut off after ${reader.cut.length} characters`,
    );
  }
  if (reader.container === "console" && reader.framework === undefined) {
    throw new RangeError(
      `Cannot read a log as a line must hold metrics, as verl's "step:1 - actor/entropy:0.5 - ..." or TRL's ` +
        `"{'loss': 0.1, 'reward': 0.5, ...}" do: current text has none`,
    );
  }
  if (reader.framework === undefined) {
    throw new RangeError(
      `Cannot read a log as a line must hold metrics: none of its ${size} bytes, read as ${reader.container}, has any`,
    );
  }
  if (records === 0) {
    throw new RangeError(
      `Cannot read a log as a line must hold metrics: none of its lines has one whose name is known; pass names`,
    );
  }
}
