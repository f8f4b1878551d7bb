import type { Row, RowReader } from "../row";

/** Cuts text into lines, from pieces that may end in the middle of one, or of a letter. */
export class Lines {
  readonly #decoder = new TextDecoder();
  #rest = "";

  constructor(private readonly ending = /\r?\n/) {}

  push(piece: Uint8Array | string): string[] {
    const text = typeof piece === "string" ? piece : this.#decoder.decode(piece, { stream: true });
    const lines = (this.#rest + text).split(this.ending);
    this.#rest = lines.pop()!;
    return lines;
  }

  end(): string[] {
    const last = this.#rest + this.#decoder.decode();
    this.#rest = "";
    return last === "" ? [] : [last];
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
