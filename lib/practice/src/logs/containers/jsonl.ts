import { isObject, type Row, type RowReader } from "../row";
import { Failures } from "./failure";
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
    `Cannot read a log: each line must be a JSON object, but line ${line} is ${JSON.stringify(content.slice(0, 80))}.`,
  );
}

/** Python writes NaN and Infinity, which are not JSON: they become those words as text. Text that holds such words stays as it is. */
export function parseLenient(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return JSON.parse(withTexts(json));
  }
}

/** Each character is looked at once, however many blanks or quotes there are. */
function withTexts(json: string): string {
  const parts: string[] = [];
  const next = /"|-?(?:NaN|Infinity)/g;
  let from = 0;
  for (let match = next.exec(json); match; match = next.exec(json)) {
    if (match[0] === '"') {
      next.lastIndex = endOfText(json, match.index + 1);
      continue;
    }
    parts.push(json.slice(from, match.index), `"${match[0]}"`);
    from = next.lastIndex;
  }
  return parts.join("") + json.slice(from);
}

/** The place after the quote that ends a JSON text. */
function endOfText(json: string, from: number): number {
  for (let at = json.indexOf('"', from); at >= 0; at = json.indexOf('"', at + 1)) {
    let slashes = 0;
    while (json[at - 1 - slashes] === "\\") slashes += 1;
    if (slashes % 2 === 0) return at + 1;
  }
  return json.length;
}

/** Rows after which a line that begins no object is output that went to the same file, such as a warning or an error. */
const ROWS = 3;

/** One JSON object a line. */
export function jsonlReader(): RowReader {
  const failures = new Failures();
  let rows = 0;
  const reader = readerOfLines(
    (content, line) => {
      if (rows >= ROWS && !/^\s*[[{]/.test(content)) {
        failures.push(content.trim());
        return undefined;
      }
      const row = parseJsonLine(content, line);
      rows += 1;
      failures.goesOn();
      return row;
    },
    (content) => content.trimStart().startsWith("{"),
  );
  return {
    push: (piece) => reader.push(piece),
    end: () => reader.end(),
    get cut() {
      return reader.cut;
    },
    get failure() {
      return failures.failure;
    },
  };
}
