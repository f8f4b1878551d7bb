import { isObject, type Row } from "../logs/row";

const [QUOTE, BACKSLASH, COMMA, BRACKET] = [34, 92, 44, 91];
const OPENS = new Set([BRACKET, 123]);
const CLOSES = new Set([93, 125]);
const BLANK = new Set([9, 10, 13, 32, 0xef, 0xbb, 0xbf]);

/** A record is in memory as a whole; a text that merely begins like a list is not. */
const LONGEST = 1 << 28;

/** Whether a text begins as a list of JSON does. */
export const beginsArray = (bytes: Uint8Array): boolean => bytes.find((byte) => !BLANK.has(byte)) === BRACKET;

/**
 * The objects of a file that is one list of JSON, each as soon as it is whole: the list itself is never in memory.
 *
 * @throws {RangeError} if the text ends inside the list, or what is in it is no JSON or no object
 */
export function* arrayRecords(pieces: Iterable<Uint8Array>): Generator<Row, void, undefined> {
  let depth = 0;
  let isText = false;
  let isEscaped = false;
  let kept: Uint8Array[] = [];
  let number = 0;
  for (const piece of pieces) {
    let from = 0;
    for (let at = 0; at < piece.length; at++) {
      const byte = piece[at]!;
      if (isText) {
        if (isEscaped) isEscaped = false;
        else if (byte === BACKSLASH) isEscaped = true;
        else if (byte === QUOTE) isText = false;
      } else if (byte === QUOTE) isText = true;
      else if (OPENS.has(byte)) {
        depth += 1;
        if (depth === 1) from = at + 1;
      } else if (CLOSES.has(byte) || (byte === COMMA && depth === 1)) {
        if (depth === 1) {
          const text = textOf([...kept, piece.subarray(from, at)]);
          if (text !== "") yield recordOf(text, number++);
          kept = [];
          from = at + 1;
        }
        if (byte !== COMMA) depth -= 1;
        if (depth === 0) return;
      }
    }
    if (depth === 0) continue;
    kept.push(piece.subarray(from));
    if (kept.reduce((sum, { length }) => sum + length, 0) > LONGEST) {
      throw new RangeError(`Cannot read trajectories: record ${number} has more than ${LONGEST} bytes.`);
    }
  }
  throw new RangeError(`Cannot read trajectories: the list of JSON ends inside record ${number}.`);
}

function textOf(parts: readonly Uint8Array[]): string {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return new TextDecoder().decode(bytes).trim();
}

function recordOf(text: string, number: number): Row {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new RangeError(
      `Cannot read trajectories: record ${number} must be JSON (${(error as Error).message}).`,
      { cause: error },
    );
  }
  if (isObject(value)) return value;
  throw new RangeError(
    `Cannot read trajectories: record ${number} must be an object, got ${text.slice(0, 40)}.`,
  );
}
