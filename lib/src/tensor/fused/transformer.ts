import type { Arena } from "./arena";
import type { Pointer } from "./kernels";
import { Dense, wantedRows, type FusedNetwork, type Sequences } from "./network";

export interface FusedTransformerShape {
  readonly width: number;
  readonly layers: number;
  readonly heads: number;
  /** Offset of a block of weights, in elements: embedding, place, norm and per layer "0-norm1", "0-query" ... */
  at(name: string): number;
}

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

/**
 * A decoder-only transformer, normalisation first:
 *   x <- x + attention(norm(x)) W_out,  x <- x + relu(norm(x) W_up + b) W_down.
 */
export function fusedTransformer({ width, layers, heads, at }: FusedTransformerShape): FusedNetwork {
  const bytes = 4 * width;
  const wide = 4 * width;

  const norm = (arena: Arena, weights: Pointer, x: Pointer, gain: string, rows: number): Normed => {
    const [out, unit, scales] = [arena.floats(rows * width), arena.floats(rows * width), arena.floats(rows)];
    arena.kernels.layerNorm(x, weights + 4 * at(gain), out, unit, scales, rows, width);
    return { out, unit, scales };
  };

  const project = (arena: Arena, dense: Dense, x: Pointer, name: string, rows: number): Pointer => {
    const out = arena.zeros(rows * width);
    dense.forward(x, at(name), out, rows, width, width);
    return out;
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

  /** x += relu(norm(x) W_up + b) W_down. */
  const feedForward = (
    arena: Arena,
    weights: Pointer,
    x: Pointer,
    i: number,
    rows: number,
  ): { norm2: Normed; active: Pointer } => {
    const dense = new Dense(arena, weights);
    const norm2 = norm(arena, weights, x, `${i}-norm2`, rows);
    const active = arena.floats(rows * wide);
    arena.kernels.broadcast(active, weights + 4 * at(`${i}-bias`), rows, wide);
    dense.forward(norm2.out, at(`${i}-up`), active, rows, width, wide);
    arena.kernels.relu(active, rows * wide);
    dense.forward(active, at(`${i}-down`), x, rows, wide, width);
    return { norm2, active };
  };

  const run = (
    arena: Arena,
    weights: Pointer,
    input: Sequences,
    room: number,
  ): { x: Pointer; offsets: Pointer; kept: Layer[] } => {
    const { kernels } = arena;
    const { count, tokens, start, firstPlace } = input;
    const rows = tokens.length;
    const dense = new Dense(arena, weights);
    const places = new Int32Array(rows);
    for (let b = 0; b < count; b++) {
      for (let row = start[b]!; row < start[b + 1]!; row++) places[row] = firstPlace[b]! + row - start[b]!;
    }
    const offsets = arena.integers(embeddings(tokens, places));
    const x = arena.zeros(rows * width);
    kernels.gather(x, weights, offsets, rows, 2, width);
    const kept: Layer[] = [];
    for (let i = 0; i < layers; i++) {
      const norm1 = norm(arena, weights, x, `${i}-norm1`, rows);
      const [query, key, value] = PROJECTIONS.map((name) =>
        project(arena, dense, norm1.out, `${i}-${name}`, rows),
      ) as [Pointer, Pointer, Pointer];
      const mixed = arena.floats(rows * width);
      const keyT: Pointer[] = [];
      const weight: Pointer[] = [];
      for (let b = 0; b < count; b++) {
        const length = start[b + 1]! - start[b]!;
        const capacity = length + room;
        const row = start[b]! * bytes;
        keyT.push(arena.floats(capacity * width));
        weight.push(arena.floats(heads * length * length));
        kernels.appendKeys(key + row, keyT[b]!, capacity, 0, length, width);
        kernels.attention(
          query + row,
          keyT[b]!,
          capacity,
          value + row,
          mixed + row,
          weight[b]!,
          length,
          length,
          width,
          heads,
        );
      }
      dense.forward(mixed, at(`${i}-out`), x, rows, width, width);
      kept.push({
        norm1,
        query,
        key,
        value,
        keyT,
        weight,
        mixed,
        ...feedForward(arena, weights, x, i, rows),
      });
    }
    return { x, offsets, kept };
  };

  /** The final normalisation of the wanted rows. */
  const finish = (
    arena: Arena,
    weights: Pointer,
    x: Pointer,
    wanted: Int32Array,
  ): { at: Pointer; normed: Normed } => {
    const rows = arena.integers(wanted);
    const last = arena.zeros(wanted.length * width);
    arena.kernels.gather(last, x, rows, wanted.length, 1, width);
    return { at: rows, normed: norm(arena, weights, last, "norm", wanted.length) };
  };

  return {
    width,
    forward(arena, weights, input) {
      const { kernels } = arena;
      const { count, start, tokens } = input;
      const rows = tokens.length;
      const { x, offsets, kept } = run(arena, weights, input, 0);
      const wanted = wantedRows(input, width);
      const final = finish(arena, weights, x, wanted);
      const dense = new Dense(arena, weights);

      const normBackward = (
        dOut: Pointer,
        normed: Normed,
        name: string,
        d: Pointer,
        gradient: Pointer,
        n: number,
      ): void => {
        const gain = 4 * at(name);
        kernels.layerNormBackward(
          dOut,
          normed.unit,
          normed.scales,
          weights + gain,
          d,
          gradient + gain,
          n,
          width,
        );
      };
      const feedForwardBackward = (d: Pointer, layer: Layer, i: number, gradient: Pointer): void => {
        const dActive = arena.zeros(rows * wide);
        dense.inputGradient(d, dense.transposed(at(`${i}-down`), wide, width), dActive, rows, wide, width);
        kernels.timesReluSlope(dActive, layer.active, rows * wide);
        dense.weightGradient(layer.active, d, at(`${i}-down`), gradient, rows, wide, width);
        kernels.addRows(gradient + 4 * at(`${i}-bias`), dActive, rows, wide);
        dense.weightGradient(layer.norm2.out, dActive, at(`${i}-up`), gradient, rows, width, wide);
        const dNormed = arena.zeros(rows * width);
        dense.inputGradient(
          dActive,
          dense.transposed(at(`${i}-up`), width, wide),
          dNormed,
          rows,
          width,
          wide,
        );
        normBackward(dNormed, layer.norm2, `${i}-norm2`, d, gradient, rows);
      };
      const attentionBackward = (d: Pointer, layer: Layer, i: number, gradient: Pointer): void => {
        dense.weightGradient(layer.mixed, d, at(`${i}-out`), gradient, rows, width, width);
        const dMixed = arena.zeros(rows * width);
        dense.inputGradient(d, dense.transposed(at(`${i}-out`), width, width), dMixed, rows, width, width);
        const derivatives = PROJECTIONS.map(() => arena.zeros(rows * width));
        const [dQuery, dKey, dValue] = derivatives as [Pointer, Pointer, Pointer];
        for (let b = 0; b < count; b++) {
          const length = start[b + 1]! - start[b]!;
          const row = start[b]! * bytes;
          arena.scoped(() => {
            kernels.attentionBackward(
              layer.query + row,
              layer.key + row,
              layer.value + row,
              layer.weight[b]!,
              dMixed + row,
              dQuery + row,
              dKey + row,
              dValue + row,
              arena.floats(length * length + (width / heads) * length),
              length,
              width,
              heads,
            );
          });
        }
        const dNormed = arena.zeros(rows * width);
        PROJECTIONS.forEach((name, j) => {
          const block = at(`${i}-${name}`);
          dense.weightGradient(layer.norm1.out, derivatives[j]!, block, gradient, rows, width, width);
          dense.inputGradient(
            derivatives[j]!,
            dense.transposed(block, width, width),
            dNormed,
            rows,
            width,
            width,
          );
        });
        normBackward(dNormed, layer.norm1, `${i}-norm1`, d, gradient, rows);
      };

      return {
        hidden: final.normed.out,
        backward(dHidden, gradient) {
          const dLast = arena.zeros(wanted.length * width);
          normBackward(dHidden, final.normed, "norm", dLast, gradient, wanted.length);
          const d = arena.zeros(rows * width);
          kernels.scatter(d, dLast, final.at, wanted.length, 1, width);
          for (let i = layers - 1; i >= 0; i--) {
            const layer = kept[i]!;
            arena.scoped(() => feedForwardBackward(d, layer, i, gradient));
            arena.scoped(() => attentionBackward(d, layer, i, gradient));
          }
          kernels.scatter(gradient, d, offsets, rows, 2, width);
        },
      };
    },

    decode(arena, weights, input, room) {
      const { kernels } = arena;
      const { count, start, firstPlace } = input;
      const dense = new Dense(arena, weights);
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
      return {
        hidden: finish(arena, weights, x, ends).normed.out,
        append(rows, tokens) {
          const n = rows.length;
          const places = rows.map((b) => firstPlace[b]! + length[b]!);
          const h = arena.zeros(n * width);
          kernels.gather(h, weights, arena.integers(embeddings(tokens, places)), n, 2, width);
          for (let i = 0; i < layers; i++) {
            const { out } = norm(arena, weights, h, `${i}-norm1`, n);
            const [query, key, value] = PROJECTIONS.map((name) =>
              project(arena, dense, out, `${i}-${name}`, n),
            ) as [Pointer, Pointer, Pointer];
            const mixed = arena.floats(n * width);
            rows.forEach((b, j) => {
              const [keys, values, own] = [kept[i]!.keyT[b]!, cache[i]![b]!, length[b]!];
              kernels.appendKeys(key + j * bytes, keys, capacity[b]!, own, 1, width);
              kernels.broadcast(values + own * bytes, value + j * bytes, 1, width);
              arena.scoped(() => {
                kernels.attention(
                  query + j * bytes,
                  keys,
                  capacity[b]!,
                  values,
                  mixed + j * bytes,
                  arena.floats(heads * (own + 1)),
                  1,
                  own + 1,
                  width,
                  heads,
                );
              });
            });
            dense.forward(mixed, at(`${i}-out`), h, n, width, width);
            feedForward(arena, weights, h, i, n);
          }
          for (const b of rows) length[b]!++;
          return norm(arena, weights, h, "norm", n).out;
        },
      };
    },
  };
}
