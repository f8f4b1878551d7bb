import type { Arena } from "../arena";
import type { Pointer } from "../kernels";
import { PART_ROWS, type Range, type Sequences } from "../network";

export interface FusedTransformerShape {
  readonly width: number;
  readonly layers: number;
  readonly heads: number;
  /** Offset of a block of weights, in elements: embedding, place, norm and per layer "0-norm1", "0-query" ... */
  at(name: string): number;
}

export const PROJECTIONS = ["query", "key", "value"] as const;

export type Projections = Readonly<Record<(typeof PROJECTIONS)[number], Pointer>>;

/** Values that a normalization keeps for its backward pass. */
export interface Normed {
  readonly out: Pointer;
  readonly unit: Pointer;
  readonly scales: Pointer;
}

/** Values that a layer keeps of a forward pass. */
export interface Layer extends Projections {
  readonly norm1: Normed;
  /** Keys as columns, per sequence, with room for more. */
  readonly keyT: readonly Pointer[];
  readonly weight: readonly Pointer[];
  readonly mixed: Pointer;
  readonly norm2: Normed;
  readonly active: Pointer;
}

export function normOf(arena: Arena, rows: number, width: number): Normed {
  return {
    out: arena.floats(rows * width),
    unit: arena.floats(rows * width),
    scales: arena.floats(rows),
  };
}

/** Room for what a layer keeps of `rows` rows, in sequences of these lengths, with `room` for more tokens. */
export function layerOf(
  arena: Arena,
  { width, heads }: FusedTransformerShape,
  rows: number,
  lengths: readonly number[] = [],
  room = 0,
): Layer {
  const block = (): Pointer => arena.floats(rows * width);
  return {
    norm1: normOf(arena, rows, width),
    ...{ query: block(), key: block(), value: block(), mixed: block() },
    keyT: lengths.map((length) => arena.floats((length + room) * width)),
    weight: lengths.map((length) => arena.floats(heads * length * length)),
    norm2: normOf(arena, rows, width),
    active: arena.floats(4 * rows * width),
  };
}

/** The sequences of a part, and their rows. */
export interface SequencePart {
  readonly sequences: Range;
  readonly rows: Range;
}

/** Parts of whole sequences that have at least `PART_ROWS` rows each, except for the last one. */
export function sequenceParts({ count, start }: Sequences): SequencePart[] {
  const parts: SequencePart[] = [];
  for (let from = 0, to = 1; to <= count; to++) {
    const rows = { from: start[from]!, to: start[to]! };
    if (to < count && rows.to - rows.from < PART_ROWS) continue;
    parts.push({ sequences: { from, to }, rows });
    from = to;
  }
  return parts;
}
