import type { Arena } from "./arena";
import type { Operations, Pointer } from "./kernels";
import {
  Dense,
  GradientSums,
  PART_ROWS,
  ranges,
  transposed,
  wantedRows,
  type FusedNetwork,
  type Range,
  type Sequences,
} from "./network";

export interface FusedTransformerShape {
  readonly width: number;
  readonly layers: number;
  readonly heads: number;
  /** Offset of a block of weights, in elements: embedding, place, norm and per layer "0-norm1", "0-query" ... */
  at(name: string): number;
}

/** Sequences of a part of one token each. */
const TOKEN_ROWS = 16;

const PROJECTIONS = ["query", "key", "value"] as const;

/** What a layer keeps of a forward pass. */
interface Layer {
  readonly norm1: Normed;
  readonly query: Pointer;
  readonly key: Pointer;
  readonly value: Pointer;
  /** Keys as columns, per sequence, with room for more. */
  readonly keyT: readonly Pointer[];
  readonly weight: readonly Pointer[];
  readonly mixed: Pointer;
  readonly norm2: Normed;
  readonly active: Pointer;
}

interface Normed {
  readonly out: Pointer;
  readonly unit: Pointer;
  readonly scales: Pointer;
}

/** A forward pass over whole sequences. */
interface Run {
  readonly x: Pointer;
  readonly offsets: Pointer;
  readonly kept: readonly Layer[];
  /** Ranges of sequences. */
  readonly parts: readonly Range[];
}

/** Derivatives on the way back through a layer: in what comes from above, in the middle, and in each product. */
interface Slopes extends Readonly<Record<(typeof PROJECTIONS)[number] | "mixed" | "active", Pointer>> {
  readonly above: Pointer;
  readonly normed2: Pointer;
  readonly middle: Pointer;
  readonly normed1: Pointer;
}

/** Whole sequences, at least so many rows in a part. */
function sequenceParts({ count, start }: Sequences): Range[] {
  const parts: Range[] = [];
  for (let from = 0, to = 1; to <= count; to++) {
    if (to < count && start[to]! - start[from]! < PART_ROWS) continue;
    parts.push({ from, to });
    from = to;
  }
  return parts;
}

function longestOf(start: Int32Array, from: number, to: number): number {
  let longest = 0;
  for (let b = from; b < to; b++) longest = Math.max(longest, start[b + 1]! - start[b]!);
  return longest;
}

/**
 * A decoder-only transformer, normalisation first:
 *   x <- x + attention(norm(x)) W_out,  x <- x + relu(norm(x) W_up + b) W_down.
 */
export function fusedTransformer({ width, layers, heads, at }: FusedTransformerShape): FusedNetwork {
  const bytes = 4 * width;
  const wide = 4 * width;

  const normOf = (arena: Arena, rows: number): Normed => ({
    out: arena.floats(rows * width),
    unit: arena.floats(rows * width),
    scales: arena.floats(rows),
  });

  const norm = (
    operations: Operations,
    weights: Pointer,
    x: Pointer,
    name: string,
    { out, unit, scales }: Normed,
    { from, to }: Range,
  ): void => {
    const row = from * bytes;
    const gain = weights + 4 * at(name);
    operations.layerNorm(x + row, gain, out + row, unit + row, scales + 4 * from, to - from, width);
  };

  /** to <- x W, for some rows. */
  const project = (
    operations: Operations,
    weights: Pointer,
    x: Pointer,
    name: string,
    to: Pointer,
    rows: number,
  ): void => {
    operations.clear(to, rows * width);
    new Dense(operations, weights).forward(x, at(name), to, rows, width, width);
  };

  /** Offsets of token and place of each row. */
  const embeddings = (tokens: ArrayLike<number>, places: ArrayLike<number>): Int32Array => {
    const offsets = new Int32Array(2 * tokens.length);
    for (let i = 0; i < tokens.length; i++) {
      offsets[2 * i] = at("embedding") + tokens[i]! * width;
      offsets[2 * i + 1] = at("place") + places[i]! * width;
    }
    return offsets;
  };

  const embed = (
    operations: Operations,
    weights: Pointer,
    offsets: Pointer,
    x: Pointer,
    { from, to }: Range,
  ): void => {
    operations.clear(x + from * bytes, (to - from) * width);
    operations.gather(x + from * bytes, weights, offsets + 8 * from, to - from, 2, width);
  };

  /** x += relu(norm(x) W_up + b) W_down, for some rows. */
  const feedForward = (
    operations: Operations,
    weights: Pointer,
    x: Pointer,
    i: number,
    { norm2, active }: Pick<Layer, "norm2" | "active">,
    rows: Range,
  ): void => {
    const dense = new Dense(operations, weights);
    const [row, count] = [rows.from * bytes, rows.to - rows.from];
    const own = active + 4 * row;
    norm(operations, weights, x, `${i}-norm2`, norm2, rows);
    operations.broadcast(own, weights + 4 * at(`${i}-bias`), count, wide);
    dense.forward(norm2.out + row, at(`${i}-up`), own, count, width, wide);
    operations.relu(own, count * wide);
    dense.forward(own, at(`${i}-down`), x + row, count, wide, width);
  };

  /** Room for what a layer keeps of `rows` rows, in sequences of these lengths with `room` for more. */
  const layerOf = (arena: Arena, rows: number, lengths: readonly number[], room: number): Layer => {
    const block = (): Pointer => arena.floats(rows * width);
    return {
      norm1: normOf(arena, rows),
      ...{ query: block(), key: block(), value: block(), mixed: block() },
      keyT: lengths.map((length) => arena.floats((length + room) * width)),
      weight: lengths.map((length) => arena.floats(heads * length * length)),
      norm2: normOf(arena, rows),
      active: arena.floats(rows * wide),
    };
  };

  const run = (arena: Arena, weights: Pointer, input: Sequences, room: number): Run => {
    const { count, tokens, start, firstPlace } = input;
    const rows = tokens.length;
    const lengths = Array.from({ length: count }, (_, b) => start[b + 1]! - start[b]!);
    const places = new Int32Array(rows);
    for (let b = 0; b < count; b++) {
      for (let row = start[b]!; row < start[b + 1]!; row++) places[row] = firstPlace[b]! + row - start[b]!;
    }
    const offsets = arena.integers(embeddings(tokens, places));
    const x = arena.floats(rows * width);
    const kept = Array.from({ length: layers }, () => layerOf(arena, rows, lengths, room));
    const parts = sequenceParts(input);
    arena.kernels.inParts("transformer forward", rows, parts.length, (operations, p) => {
      const own = { from: start[parts[p]!.from]!, to: start[parts[p]!.to]! };
      const [row, n] = [own.from * bytes, own.to - own.from];
      embed(operations, weights, offsets, x, own);
      kept.forEach((layer, i) => {
        norm(operations, weights, x, `${i}-norm1`, layer.norm1, own);
        for (const name of PROJECTIONS) {
          project(operations, weights, layer.norm1.out + row, `${i}-${name}`, layer[name] + row, n);
        }
        for (let b = parts[p]!.from; b < parts[p]!.to; b++) {
          const [first, length] = [start[b]! * bytes, lengths[b]!];
          operations.appendKeys(layer.key + first, layer.keyT[b]!, length + room, 0, length, width);
          operations.attention(
            layer.query + first,
            layer.keyT[b]!,
            length + room,
            layer.value + first,
            layer.mixed + first,
            layer.weight[b]!,
            length,
            length,
            width,
            heads,
          );
        }
        const dense = new Dense(operations, weights);
        dense.forward(layer.mixed + row, at(`${i}-out`), x + row, n, width, width);
        feedForward(operations, weights, x, i, layer, own);
      });
    });
    return { x, offsets, kept, parts };
  };

  /** The final normalisation of the wanted rows. */
  const finish = (
    arena: Arena,
    weights: Pointer,
    x: Pointer,
    wanted: Int32Array,
  ): { at: Pointer; normed: Normed } => {
    const [rows, count] = [arena.integers(wanted), wanted.length];
    const [last, normed] = [arena.floats(count * width), normOf(arena, count)];
    const parts = ranges(count, PART_ROWS);
    arena.kernels.inParts("transformer end", count, parts.length, (operations, p) => {
      const { from, to } = parts[p]!;
      operations.clear(last + from * bytes, (to - from) * width);
      operations.gather(last + from * bytes, x, rows + 4 * from, to - from, 1, width);
      norm(operations, weights, last, "norm", normed, parts[p]!);
    });
    return { at: rows, normed };
  };

  /** What the way back through a layer leaves for the gradient of its weights, for all rows. */
  const slopesOf = (arena: Arena, rows: number): Slopes => {
    const block = (): Pointer => arena.floats(rows * width);
    return {
      ...{ above: block(), normed2: block(), middle: block(), mixed: block(), normed1: block() },
      ...{ query: block(), key: block(), value: block() },
      active: arena.floats(rows * wide),
    };
  };

  /** W^T of all matrices of a layer. */
  const transposedOf = (arena: Arena, weights: Pointer, i: number): Readonly<Record<string, Pointer>> =>
    Object.fromEntries([
      ...[...PROJECTIONS, "out"].map((name) => [
        name,
        transposed(arena, weights, at(`${i}-${name}`), width, width),
      ]),
      ["up", transposed(arena, weights, at(`${i}-up`), width, wide)],
      ["down", transposed(arena, weights, at(`${i}-down`), wide, width)],
    ]) as Record<string, Pointer>;

  return {
    width,
    forward(arena, weights, input) {
      const { kernels } = arena;
      const { start, tokens } = input;
      const rows = tokens.length;
      const { x, offsets, kept, parts } = run(arena, weights, input, 0);
      const wanted = wantedRows(input, width);
      const final = finish(arena, weights, x, wanted);

      const normBackward = (
        operations: Operations,
        dOut: Pointer,
        { unit, scales }: Normed,
        name: string,
        d: Pointer,
        { from, to }: Range,
      ): void => {
        const row = from * bytes;
        const gain = weights + 4 * at(name);
        operations.layerNormBackward(
          dOut + row,
          unit + row,
          scales + 4 * from,
          gain,
          d + row,
          to - from,
          width,
        );
      };

      /** d, the derivative after layer i, becomes that before it. */
      const layerBackward = (arena: Arena, d: Pointer, i: number): Slopes => {
        const layer = kept[i]!;
        const slopes = slopesOf(arena, rows);
        const back = transposedOf(arena, weights, i);
        const longest = parts.map(({ from, to }) => longestOf(start, from, to));
        const scratch = longest.map((length) => arena.floats(length * (length + width / heads)));
        kernels.inParts("transformer backward", rows, parts.length, (operations, p) => {
          const dense = new Dense(operations, weights);
          const own = { from: start[parts[p]!.from]!, to: start[parts[p]!.to]! };
          const [row, n] = [own.from * bytes, own.to - own.from];
          const cleared = (at: Pointer, size: number): Pointer => {
            operations.clear(at, size);
            return at;
          };
          operations.broadcast(slopes.above + row, d + row, 1, n * width);
          const dActive = cleared(slopes.active + 4 * row, n * wide);
          dense.inputGradient(d + row, back.down!, dActive, n, wide, width);
          operations.timesReluSlope(dActive, layer.active + 4 * row, n * wide);
          const dNormed2 = cleared(slopes.normed2 + row, n * width);
          dense.inputGradient(dActive, back.up!, dNormed2, n, width, wide);
          normBackward(operations, slopes.normed2, layer.norm2, `${i}-norm2`, d, own);
          operations.broadcast(slopes.middle + row, d + row, 1, n * width);
          const dMixed = cleared(slopes.mixed + row, n * width);
          dense.inputGradient(d + row, back.out!, dMixed, n, width, width);
          for (const name of PROJECTIONS) operations.clear(slopes[name] + row, n * width);
          for (let b = parts[p]!.from; b < parts[p]!.to; b++) {
            const first = start[b]! * bytes;
            operations.attentionBackward(
              layer.query + first,
              layer.key + first,
              layer.value + first,
              layer.weight[b]!,
              slopes.mixed + first,
              slopes.query + first,
              slopes.key + first,
              slopes.value + first,
              scratch[p]!,
              start[b + 1]! - start[b]!,
              width,
              heads,
            );
          }
          const dNormed1 = cleared(slopes.normed1 + row, n * width);
          for (const name of PROJECTIONS) {
            dense.inputGradient(slopes[name] + row, back[name]!, dNormed1, n, width, width);
          }
          normBackward(operations, slopes.normed1, layer.norm1, `${i}-norm1`, d, own);
        });
        return slopes;
      };

      const layerGradient = (arena: Arena, slopes: Slopes, i: number, gradient: Pointer): void => {
        const { norm1, norm2, mixed, active } = kept[i]!;
        const sums = new GradientSums(arena, gradient, rows)
          .weight(active, slopes.above, at(`${i}-down`), wide, width)
          .weight(norm2.out, slopes.active, at(`${i}-up`), width, wide)
          .weight(mixed, slopes.middle, at(`${i}-out`), width, width);
        for (const name of PROJECTIONS) {
          sums.weight(norm1.out, slopes[name], at(`${i}-${name}`), width, width);
        }
        sums
          .bias(slopes.active, at(`${i}-bias`), wide)
          .gain(slopes.normed2, norm2.unit, at(`${i}-norm2`), width)
          .gain(slopes.normed1, norm1.unit, at(`${i}-norm1`), width)
          .run("transformer gradient");
      };

      return {
        hidden: final.normed.out,
        backward(dHidden, gradient) {
          const count = wanted.length;
          const dLast = arena.zeros(count * width);
          normBackward(kernels, dHidden, final.normed, "norm", dLast, { from: 0, to: count });
          new GradientSums(arena, gradient, count)
            .gain(dHidden, final.normed.unit, at("norm"), width)
            .run("transformer end gradient");
          const d = arena.zeros(rows * width);
          kernels.scatter(d, dLast, final.at, count, 1, width, width);
          for (let i = layers - 1; i >= 0; i--) {
            arena.scoped(() => layerGradient(arena, layerBackward(arena, d, i), i, gradient));
          }
          new GradientSums(arena, gradient, rows)
            .table(d, offsets, 2, 0, width)
            .run("transformer embedding gradient");
        },
      };
    },

    decode(arena, weights, input, room) {
      const { kernels } = arena;
      const { count, start, firstPlace } = input;
      const { x, kept } = run(arena, weights, input, room);
      const ends = Int32Array.from({ length: count }, (_, b) => (start[b + 1]! - 1) * width);
      const length = Array.from({ length: count }, (_, b) => start[b + 1]! - start[b]!);
      const capacity = length.map((n) => n + room);
      /** Values per layer and sequence, with room for more. */
      const cache = kept.map(({ value }) =>
        length.map((n, b) => {
          const own = arena.floats(capacity[b]! * width);
          kernels.broadcast(own, value + start[b]! * bytes, 1, n * width);
          return own;
        }),
      );
      // Every token is computed in the same place.
      const [h, one, last] = [
        arena.floats(count * width),
        layerOf(arena, count, [], 0),
        normOf(arena, count),
      ];
      const longest = Math.max(0, ...capacity) + 1;
      const shares = arena.floats(heads * longest * count);
      return {
        hidden: finish(arena, weights, x, ends).normed.out,
        append(rows, tokens) {
          const n = rows.length;
          const places = rows.map((b) => firstPlace[b]! + length[b]!);
          const offsets = arena.integers(embeddings(tokens, places));
          const parts = ranges(n, TOKEN_ROWS);
          kernels.inParts("transformer token", n, parts.length, (operations, p) => {
            const own = parts[p]!;
            const [row, size] = [own.from * bytes, own.to - own.from];
            embed(operations, weights, offsets, h, own);
            for (let i = 0; i < layers; i++) {
              norm(operations, weights, h, `${i}-norm1`, one.norm1, own);
              for (const name of PROJECTIONS) {
                project(operations, weights, one.norm1.out + row, `${i}-${name}`, one[name] + row, size);
              }
              for (let j = own.from; j < own.to; j++) {
                const b = rows[j]!;
                const [keys, values, before] = [kept[i]!.keyT[b]!, cache[i]![b]!, length[b]!];
                operations.appendKeys(one.key + j * bytes, keys, capacity[b]!, before, 1, width);
                operations.broadcast(values + before * bytes, one.value + j * bytes, 1, width);
                operations.attention(
                  one.query + j * bytes,
                  keys,
                  capacity[b]!,
                  values,
                  one.mixed + j * bytes,
                  shares + 4 * heads * longest * j,
                  1,
                  before + 1,
                  width,
                  heads,
                );
              }
              const dense = new Dense(operations, weights);
              dense.forward(one.mixed + row, at(`${i}-out`), h + row, size, width, width);
              feedForward(operations, weights, h, i, one, own);
            }
            norm(operations, weights, h, "norm", last, own);
          });
          for (const b of rows) length[b]!++;
          return last.out;
        },
      };
    },
  };
}
