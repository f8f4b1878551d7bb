/**
 * Source positions of generated code: for each generated line (from 0) the segments `[generated column, original line,
 * original column]`, in order. A line without segments is not from the cell.
 */
export type PositionMap = [number, number, number][][];

interface Edit {
  start: number;
  end: number;
  text: string;
}

/** Collects changes to a text and applies them in one pass, keeping track of where each piece came from. */
export class Edits {
  private readonly edits: Edit[] = [];
  private readonly lineStarts: number[] = [0];

  constructor(readonly source: string) {
    for (let at = source.indexOf("\n"); at >= 0; at = source.indexOf("\n", at + 1))
      this.lineStarts.push(at + 1);
  }

  /** Inserts text; at one position, text that was inserted first comes first. */
  insert(position: number, text: string): void {
    this.edits.push({ start: position, end: position, text });
  }

  /** Replaces a range. Its line breaks are kept behind the new text, so that later lines stay where they are. */
  replace(start: number, end: number, text: string): void {
    const breaks = this.source.slice(start, end).split("\n").length - 1 - (text.split("\n").length - 1);
    this.edits.push({ start, end, text: text + "\n".repeat(Math.max(0, breaks)) });
  }

  /** Replaces a range with spaces; `lead` takes the place of its first characters. */
  blank(start: number, end: number, lead = ""): void {
    if (end <= start) return;
    const spaces = this.source.slice(start, end).replace(/[^\r\n]/g, " ");
    this.edits.push({ start, end, text: lead + spaces.slice(lead.length) });
  }

  /** The changed text. `hoisted` ranges come first, in their order; they do not overlap. */
  build(hoisted: readonly [number, number][] = [], prefix = ""): { code: string; map: PositionMap } {
    const sorted = this.edits
      .map((edit, order) => ({ ...edit, order }))
      .sort((a, b) => a.start - b.start || a.order - b.order);
    let code = "";
    const map: PositionMap = [[]];
    let column = 0;
    const emit = (text: string, origin: number | undefined): void => {
      let from = origin;
      const lines = text.split("\n");
      lines.forEach((line, i) => {
        if (i > 0) {
          map.push([]);
          column = 0;
        }
        if (from !== undefined && (line !== "" || i === 0)) {
          const [originalLine, originalColumn] = this.position(from);
          map.at(-1)!.push([column, originalLine, originalColumn]);
        }
        column += line.length;
        if (from !== undefined) from += line.length + 1;
      });
      code += text;
    };
    const copy = (start: number, end: number): void => {
      let at = start;
      for (const edit of sorted) {
        // An insertion at the end of a range belongs to what follows it.
        const inside =
          edit.start >= at && edit.end <= end && (edit.start < end || end === this.source.length);
        if (!inside) continue;
        if (edit.start > at) emit(this.source.slice(at, edit.start), at);
        emit(edit.text, edit.start);
        at = edit.end;
      }
      if (at < end) emit(this.source.slice(at, end), at);
    };
    if (prefix !== "") emit(prefix, undefined);
    for (const [start, end] of hoisted) {
      copy(start, end);
      emit(";", undefined);
    }
    let rest = 0;
    for (const [start, end] of [...hoisted].sort((a, b) => a[0] - b[0])) {
      copy(rest, start);
      emit(`;${this.source.slice(start, end).replace(/[^\n]/g, "")}`, undefined);
      rest = end;
    }
    copy(rest, this.source.length);
    return { code, map };
  }

  private position(offset: number): [number, number] {
    let low = 0;
    let high = this.lineStarts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.lineStarts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return [low, offset - this.lineStarts[low]!];
  }
}

/** The original `[line, column]` (both from 0) of a generated position, or undefined for code of the kernel. */
export function originalPosition(
  map: PositionMap,
  line: number,
  column: number,
): [number, number] | undefined {
  const segments = map[line];
  if (!segments) return undefined;
  let found: [number, number, number] | undefined;
  for (const segment of segments) {
    if (segment[0] > column) break;
    found = segment;
  }
  return found && [found[1], found[2] + (column - found[0])];
}
