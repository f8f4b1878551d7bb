import type { LogReader } from "./logReader";

/**
 * Refuses a log without anything to judge.
 *
 * @throws {RangeError} if it has no line, or none with metrics
 */
export function expectRead(reader: LogReader, size: number, records: number): void {
  if (size === 0 || (reader.container === undefined && reader.zeros === 0)) {
    throw new RangeError(
      `Cannot read a log: it must have a line, but ${size === 0 ? "it is empty" : `all of its ${size} bytes are blanks`}.`,
    );
  }
  if (reader.container === undefined) {
    throw new RangeError(
      `Cannot read a log: it must have a line, but all of its ${reader.zeros} bytes are 0.`,
    );
  }
  if (reader.cut !== undefined && records === 0) {
    throw new RangeError(
      `Cannot read a log: a line must be complete, but its only one is cut off after ${reader.cut.length} characters.`,
    );
  }
  if (reader.container === "console" && reader.framework === undefined) {
    throw new RangeError(
      `Cannot read a log: a line must hold metrics, as verl's "step:1 - actor/entropy:0.5 - ..." or TRL's ` +
        `"{'loss': 0.1, 'reward': 0.5, ...}" do, but this text has none.`,
    );
  }
  if (reader.framework === undefined) {
    throw new RangeError(
      `Cannot read a log: a line must hold metrics, but none of its ${size} bytes, read as ${reader.container}, has any.`,
    );
  }
  if (records === 0) {
    throw new RangeError(
      `Cannot read a log: a line must hold metrics, but none has a known name. Pass names.`,
    );
  }
}
