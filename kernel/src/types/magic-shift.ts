import type { PositionMap } from "./transform/edits.js";
import type { TransformedCell } from "./transform/cell.js";

/** A call that stands in place of a magic. */
export interface Shift {
  line: number;
  /** Start column. */
  column: number;
  /** Length, up to the code that it takes. */
  lead: number;
  /** Start of that code in the cell. */
  code: number;
}

/** The same code with a map to the cell itself: the call is at its magic, and the code that it takes where it was written. */
export function unshifted(cell: TransformedCell, shifts: readonly Shift[]): TransformedCell {
  if (shifts.length === 0) return cell;
  const lines = cell.code.split("\n");
  const map: PositionMap = cell.map.map((segments, i) =>
    segments.flatMap(([at, line, column], j) => {
      const shift = shifts.find((one) => one.line === line);
      if (!shift) return [[at, line, column]];
      const end = segments[j + 1]?.[0] ?? lines[i]!.length + 1;
      return spread(at, end, line, column, shift);
    }),
  );
  return { ...cell, map };
}

/** A segment for each column up to the code: all of these are at the magic. */
function spread(at: number, end: number, line: number, column: number, shift: Shift): PositionMap[number] {
  const codeStart = shift.column + shift.lead;
  const segments: PositionMap[number] = [];
  if (column < shift.column) segments.push([at, line, column]);
  for (let c = Math.max(column, shift.column); c < codeStart && at + c - column < end; c++) {
    segments.push([at + c - column, line, shift.column]);
  }
  const first = Math.max(column, codeStart);
  if (at + first - column < end) segments.push([at + first - column, line, shift.code + first - codeStart]);
  return segments;
}
