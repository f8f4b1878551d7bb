import type { Row, RowReader } from "../row";

/** Characters of the longest line that is read: twice as many as any log of a step should have, and as a text can hold. */
const LONGEST = 1 << 28;

/** Cuts text into lines, from pieces that may end in the middle of one, or of a letter. */
export class Lines {
  readonly #decoder = new TextDecoder();
  /** The beginning of a line that is not yet ended. It is joined once: a long line comes in many pieces. */
  #rest: string[] = [];
  #length = 0;
  #count = 0;

  /** @param returns whether a carriage return alone ends a line, too: a progress bar returns to the start of its line */
  constructor(private readonly returns = false) {}

  push(piece: Uint8Array | string): string[] {
    const text = typeof piece === "string" ? piece : this.#decoder.decode(piece, { stream: true });
    this.#keep(text);
    if (!text.includes("\n") && !(this.returns && text.includes("\r"))) return [];
    const lines = this.#taken().split(this.returns ? /\r\n|\n|\r/ : /\r?\n/);
    this.#keep(lines.pop()!);
    this.#count += lines.length;
    return lines;
  }

  end(): string[] {
    this.#keep(this.#decoder.decode());
    const last = this.#taken();
    return last === "" ? [] : [last];
  }

  #keep(text: string): void {
    this.#length += text.length;
    if (this.#length - text.length > LONGEST) {
      throw new RangeError(
        `Cannot read a log: line ${this.#count + 1} is longer than ${LONGEST} characters. A log has a line for each step.`,
      );
    }
    if (text !== "") this.#rest.push(text);
  }

  #taken(): string {
    const text = this.#rest.join("");
    [this.#rest, this.#length] = [[], 0];
    return text;
  }
}

/**
 * A log of which each line that is not empty may be a row.
 *
 * @param mayBeCut whether a last line without a line break may have been cut off while it was written: it is left out if it
 * cannot be read
 */
export function readerOfLines(
  rowAt: (content: string, line: number) => Row | undefined,
  mayBeCut: (content: string) => boolean = () => false,
): RowReader {
  const lines = new Lines();
  let count = 0;
  const rows = (complete: readonly string[]): Row[] =>
    complete.flatMap((content) => {
      count += 1;
      const row = content.trim() === "" ? undefined : rowAt(content, count);
      return row === undefined ? [] : [row];
    });
  let cut: string | undefined;
  return {
    push: (piece) => rows(lines.push(piece)),
    end: () => {
      const last = lines.end();
      try {
        return rows(last);
      } catch (error) {
        if (last.length !== 1 || !mayBeCut(last[0]!)) throw error;
        cut = last[0];
        return [];
      }
    },
    get cut() {
      return cut;
    },
  };
}
