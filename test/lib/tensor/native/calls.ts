import type { Rng } from "turnwise";
import type { Operations } from "turnwise/internal/tensor/fused/kernels";

/** Gives out places in a memory and fills them. */
export interface Room {
  /** A whole number from 1 to `most`. */
  size(most: number): number;
  /** Normal draws. */
  floats(count: number): number;
  /** Shares of attention, [heads, length, length], of what a query sees. */
  shares(heads: number, length: number): number;
  doubles(count: number): number;
  /** Changes numbers of 64 bits. */
  change(at: number, count: number, to: (value: number) => number): void;
  /** Draws from [0, 1). */
  uniform(count: number): number;
  /** Whole numbers from `least` on, below `below`. */
  integers(count: number, least: number, below: number): number;
  /** These whole numbers. */
  wholes(values: readonly number[]): number;
}

export type Name = keyof Operations | "adam" | "squares";

/** How each operation is called on random shapes: what it may touch has been given out and nothing else. */
export const calls: Readonly<Record<Name, (r: Room, rng: Rng) => number[]>> = {
  gemm: (r, rng) => factors(r, rng),
  product: (r, rng) => {
    const own = factors(r, rng);
    return [...own, rng.below(2) === 0 ? 0 : r.floats(own[8]!), rng.below(2)];
  },
  transpose: (r) => {
    const [rows, columns] = [r.size(40), r.size(40)];
    const [fromRow, toRow] = [columns + r.size(3), rows + r.size(3)];
    return [r.floats(rows * fromRow), fromRow, r.floats(columns * toRow), toRow, rows, columns];
  },
  tanh: (r) => elementwise(r, 1),
  timesTanhSlope: (r) => elementwise(r, 2),
  relu: (r) => elementwise(r, 1),
  timesReluSlope: (r) => elementwise(r, 2),
  demote: (r) => {
    const n = r.size(100);
    return [r.doubles(n), r.floats(n), n];
  },
  promote: (r) => {
    const n = r.size(100);
    return [r.floats(n), r.doubles(n), n];
  },
  clear: (r) => elementwise(r, 1),
  broadcast: (r) => {
    const [rows, width] = [r.size(9), r.size(70)];
    return [r.floats(rows * width), r.floats(width), rows, width];
  },
  addRows: (r) => {
    const [rows, width, more] = [r.size(30), r.size(150), r.size(9)];
    return [r.floats(width), r.floats(rows * (width + more)), rows, width, width + more];
  },
  addRowProducts: (r) => {
    const [rows, width, more] = [r.size(30), r.size(150), r.size(9)];
    const all = rows * (width + more);
    return [r.floats(width), r.floats(all), r.floats(all), rows, width, width + more];
  },
  gather: (r) => {
    const [rows, places, width, entries] = [r.size(9), r.size(4), r.size(70), r.size(9)];
    const offsets = r.integers(rows * places, -1, (entries - 1) * width + 1);
    return [r.floats(rows * width), r.floats(entries * width), offsets, rows, places, width];
  },
  scatter: (r) => {
    const [rows, places, width, entries] = [r.size(9), r.size(4), r.size(70), r.size(9)];
    const offsets = r.integers(rows * places, -1, (entries - 1) * width + 1);
    return [r.floats(entries * width), r.floats(rows * width), offsets, rows, places, width, width];
  },
  rowDots: (r) => {
    const [rows, count, width] = [r.size(9), r.size(9), r.size(70)];
    const index = r.integers(count, 0, rows);
    return [r.floats(rows * width), index, r.floats(width), r.doubles(count), count, width];
  },
  rowDotsBackward: (r) => {
    const [rows, count, width] = [r.size(9), r.size(9), r.size(70)];
    const [x, index] = [r.floats(rows * width), r.integers(count, 0, rows)];
    const [w, dValue] = [r.floats(width), r.doubles(count)];
    return [x, index, w, dValue, r.floats(rows * width), r.floats(width), count, width];
  },
  gruCell: (r) => elementwise(r, 6),
  gruCellBackward: (r) => elementwise(r, 11),
  layerNorm: (r) => {
    const [rows, width] = [r.size(9), 1 + r.size(90)];
    const all = rows * width;
    return [r.floats(all), r.floats(width), r.floats(all), r.floats(all), r.floats(rows), rows, width];
  },
  layerNormBackward: (r) => {
    const [rows, width] = [r.size(9), r.size(90)];
    const all = rows * width;
    return [r.floats(all), r.floats(all), r.floats(rows), r.floats(width), r.floats(all), rows, width];
  },
  logSoftmax: (r) => {
    const [rows, width] = [r.size(70), r.size(70)];
    const [logits, probability] = [r.floats(rows * width), r.floats(rows * width)];
    const tokens = r.integers(rows, -1, width);
    return [logits, probability, tokens, r.doubles(rows), r.doubles(rows), r.doubles(rows), rows, width];
  },
  logSoftmaxBackward: (r) => {
    const [rows, width] = [r.size(70), r.size(70)];
    const [shifted, probability] = [r.floats(rows * width), r.floats(rows * width)];
    const tokens = r.integers(rows, 0, width);
    const [entropy, totals, dLogProb, dEntropy] = [0, 1, 2, 3].map(() => r.doubles(rows));
    const kept = [shifted, probability, tokens, entropy!, totals!];
    return [...kept, dLogProb!, dEntropy!, r.floats(rows * width), rows, width];
  },
  attention: (r) => {
    const [size, heads, keys, more] = [r.size(17), r.size(3), r.size(40), r.size(5) - 1];
    const [width, queries] = [size * heads, r.size(keys)];
    const [query, keyT] = [r.floats(queries * width), r.floats(width * (keys + more))];
    const [value, out, weight] = [keys, queries, (heads * queries * keys) / width].map((n) =>
      r.floats(n * width),
    );
    return [query, keyT, keys + more, value!, out!, weight!, queries, keys, width, heads];
  },
  gruToken: (r) => {
    const [rows, width, entries, more] = [r.size(20), r.size(40), r.size(9), r.size(9) - 1];
    const gate = (entries + 1 + width) * width + more;
    const embedding = r.floats(3 * gate);
    const [bias, state] = [embedding + 4 * entries * width, embedding + 4 * (entries + 1) * width];
    const offsets = r.integers(rows, 0, (entries - 1) * width + 1);
    const [before, after, gates] = [1, 1, 4].map((n) => r.floats(n * rows * width));
    return [embedding, bias, state, gate, offsets, before!, after!, gates!, rows, width];
  },
  attentionToken: (r) => {
    const [size, heads, rows, longest] = [r.size(17), r.size(4), r.size(9), r.size(70)];
    const width = size * heads;
    const [query, key, value, out] = [0, 1, 2, 3].map(() => r.floats(rows * width));
    const weight = r.floats(heads * longest);
    const capacity = longest + r.size(3) - 1;
    const cache = r.floats(2 * rows * capacity * width);
    const kept = r.wholes(
      Array.from({ length: rows }, (_, i) => 2 * i * capacity * width).flatMap((from) => [
        ...[from, from + capacity * width, capacity, r.size(longest) - 1],
      ]),
    );
    return [query!, key!, value!, out!, weight, cache, kept, rows, width, heads];
  },
  draw: (r, rng) => {
    const [rows, width] = [r.size(40), r.size(90)];
    const [logits, weight] = [r.floats(rows * width), r.floats(rows * width)];
    const uniform = r.uniform(rows);
    const tokens = r.integers(rows, 0, 1);
    const [logProb, totals] = [r.doubles(rows), r.doubles(rows)];
    return [logits, weight, uniform, tokens, logProb, totals, rows, width, rng.below(2) === 0 ? 1 : 0.7];
  },
  appendKeys: (r) => {
    const [places, width, first, more] = [r.size(30), r.size(30), r.size(9), r.size(5)];
    const capacity = first + places + more;
    return [r.floats(places * width), r.floats(width * capacity), capacity, first, places, width];
  },
  attentionBackward: (r) => {
    const [size, heads, length] = [r.size(17), r.size(3), r.size(40)];
    const width = size * heads;
    const block = (): number => r.floats(length * width);
    const [query, key, value] = [block(), block(), block()];
    const weight = r.shares(heads, length);
    const [dOut, dQuery, dKey, dValue] = [block(), block(), block(), block()];
    const scratch = r.floats(length * (length + size));
    return [query, key, value, weight, dOut, dQuery, dKey, dValue, scratch, length, width, heads];
  },
  squares: (r, rng) => {
    const n = r.size(300);
    const at = r.doubles(n);
    // Gradients of 32 bits, whose squares may lie halfway between two numbers of 64, and some that are 0.
    r.change(at, n, (x) => (rng.below(5) === 0 ? 0 : Math.fround(x) * 2 ** -rng.below(20)));
    return [at, r.doubles(1), n];
  },
  adam: (r) => {
    const n = 2 * r.size(40);
    const [x, gradient, mean] = [r.doubles(n), r.doubles(n), r.doubles(n)];
    return [x, gradient, mean, r.doubles(n), n, 0.5, 1e-3, 0.1, 0.9, 0.999, 1e-8, 1e-30];
  },
};

function elementwise(r: Room, arrays: number): number[] {
  const n = r.size(100);
  return [...Array.from({ length: arrays }, () => r.floats(n)), n];
}

/** The first ten arguments of a product, small or too large for the cache, of a matrix or of a transposed one. */
function factors(r: Room, rng: Rng): number[] {
  const large = rng.below(30) === 0;
  const [m, n, k] = large
    ? [200 + r.size(9), 300 + r.size(9), 250 + r.size(9)]
    : [r.size(40), r.size(70), r.size(200)];
  const [more, extra] = [r.size(3) - 1, r.size(3) - 1];
  const [aRow, aColumn] = ([[k, 1], [1, m], [2 * k, 2]] as const)[large ? rng.below(2) : rng.below(3)]!; // prettier-ignore
  const a = r.floats((m - 1) * aRow + (k - 1) * aColumn + 1);
  return [
    a,
    aRow,
    aColumn,
    r.floats(k * (n + more)),
    n + more,
    r.floats(m * (n + extra)),
    n + extra,
    m,
    n,
    k,
  ];
}
