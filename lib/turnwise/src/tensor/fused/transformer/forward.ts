import type { Arena } from "../arena";
import type { Pointer } from "../kernels";
import { PART_ROWS, ranges, type Sequences } from "../network";
import {
  layerOf,
  normOf,
  sequenceParts,
  type FusedTransformerShape,
  type Layer,
  type Normed,
  type SequencePart,
} from "./layout";
import { embeddings, Rowwise } from "./rowwise";

/** A forward pass over whole sequences. */
export interface Run {
  readonly x: Pointer;
  readonly offsets: Pointer;
  readonly kept: readonly Layer[];
  readonly parts: readonly SequencePart[];
}

/** All layers, with room for `room` more keys in every sequence. */
export function runLayers(
  arena: Arena,
  shape: FusedTransformerShape,
  weights: Pointer,
  input: Sequences,
  room: number,
): Run {
  const { width, layers, heads } = shape;
  const { start, tokens } = input;
  const rows = tokens.length;
  const lengths = lengthsOf(input);
  const offsets = arena.integers(embeddings(shape, tokens, placesOf(input)));
  const x = arena.floats(rows * width);
  const kept = Array.from({ length: layers }, () => layerOf(arena, shape, rows, lengths, room));
  const parts = sequenceParts(input);
  arena.kernels.inParts("transformer forward", rows, parts.length, (operations, p) => {
    const { sequences, rows } = parts[p]!;
    const rowwise = new Rowwise(shape, operations, weights, rows);
    rowwise.embed(offsets, x);
    kept.forEach((layer, i) => {
      rowwise.norm(x, `${i}-norm1`, layer.norm1);
      rowwise.project(i, layer.norm1.out, layer);
      for (let b = sequences.from; b < sequences.to; b++) {
        const [first, length] = [4 * start[b]! * width, lengths[b]!];
        const [keyT, capacity] = [layer.keyT[b]!, length + room];
        operations.appendKeys(layer.key + first, keyT, capacity, 0, length, width);
        operations.attention(
          layer.query + first,
          keyT,
          capacity,
          layer.value + first,
          layer.mixed + first,
          layer.weight[b]!,
          length,
          length,
          width,
          heads,
        );
      }
      rowwise.addMixed(i, layer.mixed, x);
      rowwise.feedForward(i, x, layer);
    });
  });
  return { x, offsets, kept, parts };
}

/** The final normalization of the wanted rows, and their offsets. */
export function finish(
  arena: Arena,
  shape: FusedTransformerShape,
  weights: Pointer,
  x: Pointer,
  wanted: Int32Array,
): { at: Pointer; normed: Normed } {
  const { width } = shape;
  const [at, count] = [arena.integers(wanted), wanted.length];
  const [last, normed] = [arena.floats(count * width), normOf(arena, count, width)];
  const parts = ranges(count, PART_ROWS);
  arena.kernels.inParts("transformer end", count, parts.length, (operations, p) => {
    const { from, to } = parts[p]!;
    const rowwise = new Rowwise(shape, operations, weights, parts[p]!);
    operations.clear(rowwise.of(last), (to - from) * width);
    operations.gather(rowwise.of(last), x, at + 4 * from, to - from, 1, width);
    rowwise.norm(last, "norm", normed);
  });
  return { at, normed };
}

export function lengthsOf({ count, start }: Sequences): number[] {
  return Array.from({ length: count }, (_, b) => start[b + 1]! - start[b]!);
}

function placesOf({ count, start, tokens, firstPlace }: Sequences): Int32Array {
  const places = new Int32Array(tokens.length);
  for (let b = 0; b < count; b++) {
    for (let row = start[b]!; row < start[b + 1]!; row++) places[row] = firstPlace[b]! + row - start[b]!;
  }
  return places;
}
