/** One JSON value a line, with a newline at the end. */
export function toJsonl(rows: readonly unknown[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join("");
}

/**
 * The values of a JSONL text; empty lines are skipped.
 *
 * @throws {TypeError} if a line is not JSON; the message names the first one
 *
 * @example
 * import { parseJsonl } from "turnwise";
 * parseJsonl<{ reward: number }>('{"reward": 1}\n{"reward": 0}\n'); // => [{ reward: 1 }, { reward: 0 }]
 */
export function parseJsonl<Row>(text: string): Row[] {
  return text.split("\n").flatMap((line, i): Row[] => {
    if (!line.trim()) return [];
    try {
      return [JSON.parse(line) as Row];
    } catch {
      throw new TypeError(
        `Cannot read JSONL: every line must be a JSON value, but line ${i + 1} is ${line.slice(0, 60)}.`,
      );
    }
  });
}
