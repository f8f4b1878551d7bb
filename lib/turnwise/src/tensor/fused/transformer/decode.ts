import type { Arena } from "../arena";
import type { Pointer } from "../kernels";
import { ranges, type Decoder, type Sequences } from "../network";
import { finish, lengthsOf, runLayers } from "./forward";
import { layerOf, normOf, type FusedTransformerShape } from "./layout";
import { embeddings, Rowwise } from "./rowwise";

/** Sequences per part; each has one token to compute. */
const TOKEN_ROWS = 16;

/** Continues token by token on the keys and values of what came before. */
export function decodeTransformer(
  arena: Arena,
  shape: FusedTransformerShape,
  weights: Pointer,
  input: Sequences,
  room: number,
): Decoder {
  const { kernels } = arena;
  const { width, layers, heads } = shape;
  const { count, start, firstPlace } = input;
  const bytes = 4 * width;
  const { x, kept } = runLayers(arena, shape, weights, input, room);
  const ends = Int32Array.from({ length: count }, (_, b) => (start[b + 1]! - 1) * width);
  const length = lengthsOf(input);
  const capacity = length.map((n) => n + room);
  /** Values per layer and sequence, with room for more. */
  const cache = kept.map(({ value }) =>
    length.map((n, b) => {
      const own = arena.floats(capacity[b]! * width);
      kernels.broadcast(own, value + start[b]! * bytes, 1, n * width);
      return own;
    }),
  );
  // All tokens reuse the same memory.
  const [h, one, last] = [
    arena.floats(count * width),
    layerOf(arena, shape, count),
    normOf(arena, count, width),
  ];
  const longest = Math.max(0, ...capacity) + 1;
  const shares = arena.floats(heads * longest * Math.ceil(count / TOKEN_ROWS));
  const offsets = arena.integers(new Int32Array(2 * count));
  const sequences = arena.integers(new Int32Array(4 * layers * count));
  return {
    hidden: finish(arena, shape, weights, x, ends).normed.out,
    append(rows, tokens) {
      const places = rows.map((b) => firstPlace[b]! + length[b]!);
      const integers = arena.int32;
      integers.set(embeddings(shape, tokens, places), offsets / 4);
      const from = kernels.base;
      for (let i = 0, at = sequences / 4; i < layers; i++) {
        const [keys, values] = [kept[i]!.keyT, cache[i]!];
        for (const b of rows) {
          integers[at++] = (keys[b]! - from) / 4;
          integers[at++] = (values[b]! - from) / 4;
          integers[at++] = capacity[b]!;
          integers[at++] = length[b]!;
        }
      }
      const parts = ranges(rows.length, TOKEN_ROWS);
      kernels.inParts("transformer token", rows.length, parts.length, (operations, p) => {
        const rowwise = new Rowwise(shape, operations, weights, parts[p]!);
        const { from: first, to } = parts[p]!;
        rowwise.embed(offsets, h);
        for (let i = 0; i < layers; i++) {
          rowwise.norm(h, `${i}-norm1`, one.norm1);
          rowwise.project(i, one.norm1.out, one);
          operations.attentionToken(
            rowwise.of(one.query),
            rowwise.of(one.key),
            rowwise.of(one.value),
            rowwise.of(one.mixed),
            shares + 4 * heads * longest * p,
            from,
            sequences + 16 * (i * rows.length + first),
            to - first,
            width,
            heads,
          );
          rowwise.addMixed(i, one.mixed, h);
          rowwise.feedForward(i, h, one);
        }
        rowwise.norm(h, "norm", last);
      });
      for (const b of rows) length[b]!++;
      return last.out;
    },
  };
}
