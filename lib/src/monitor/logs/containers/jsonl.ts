import { isObject, type Row, type RowReader } from "../row";
import { readerOfLines } from "./lines";

/** @throws {TypeError} unless the line is a JSON object */
export function parseJsonLine(content: string, line: number): Row {
  let value: unknown;
  try {
    value = parseLenient(content);
  } catch {
    value = undefined;
  }
  if (isObject(value)) return value;
  throw new TypeError(
    `Cannot read a log as each line must be a JSON object: line ${line} is ${JSON.stringify(content.slice(0, 80))}`,
  );
}

/**
 * Python writes NaN and Infinity, which are not JSON: they become such words as text. Text that holds such words stays as it is,
 * unless they stand beside such a value.
 */
export function parseLenient(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return JSON.parse(json.replace(/(?<=[:,[]\s*)-?(?:NaN|Infinity)(?=\s*[,}\]])/g, '"$&"'));
  }
}

/** One JSON object a line. */
export const jsonlReader = (): RowReader =>
  readerOfLines(parseJsonLine, (content) => content.trimStart().startsWith("{"));
