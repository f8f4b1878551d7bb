import { exp } from "../../base/elementary/exp";
import { addBias, addProduct, matrix } from "./matrix";
import { layerNorm } from "./layerNorm";
import type { NetworkInput } from "./network";

export interface TransformerShape {
  readonly width: number;
  readonly layers: number;
  readonly heads: number;
  /** Length of the longest sequence; earlier tokens are out of sight. */
  readonly window: number;
}

/** A layer's keys and values, [B * P, width], from the pass over the sequences so far. */
export interface LayerCache {
  readonly key: Float64Array;
  readonly value: Float64Array;
}

/** The keys and values of the tokens since then, [step][B * width]. */
interface Later {
  readonly key: Float64Array[];
  readonly value: Float64Array[];
}

/**
 * Runs the transformer on one more token per sequence. The new query meets the keys and values that were kept, so a token
 * costs one place instead of all of them. The arithmetic is that of the whole pass, in the same order.
 */
export function continueTransformer(
  w: Float64Array,
  at: (name: string) => number,
  { width, layers, heads }: TransformerShape,
  { batch, length, tokens, lastPlace }: NetworkInput,
  cache: readonly LayerCache[],
): (rows: readonly number[], next: readonly number[]) => Float64Array {
  const later: Later[] = cache.map(() => ({ key: [], value: [] }));
  let step = 0;

  const dense = (x: Float64Array, name: string, from: number, to: number): Float64Array => {
    const rows = x.length / from;
    const out = new Float64Array(rows * to);
    addProduct(matrix(x, rows, from), matrix(w, from, to, at(name)), matrix(out, rows, to));
    return out;
  };

  /** Spreads the rows of the sequences that still grow over all sequences, and keeps them. */
  const keep = (into: Float64Array[], rows: readonly number[], values: Float64Array): void => {
    const all = new Float64Array(batch * width);
    rows.forEach((b, i) => all.set(values.subarray(i * width, (i + 1) * width), b * width));
    into.push(all);
  };

  const attend = (i: number, rows: readonly number[], x: Float64Array): void => {
    const normed = layerNorm(x, width, w, at(`${i}-norm1`)).out;
    const query = dense(normed, `${i}-query`, width, width);
    keep(later[i]!.key, rows, dense(normed, `${i}-key`, width, width));
    keep(later[i]!.value, rows, dense(normed, `${i}-value`, width, width));
    const mixed = new Float64Array(rows.length * width);
    const size = width / heads;
    const scale = 1 / Math.sqrt(size);
    const places = length + later[i]!.key.length;
    const weight = new Float64Array(places);
    rows.forEach((b, r) => {
      // The row of place k of sequence b comes from the first pass or from the step that wrote it.
      const row = (kept: "key" | "value", k: number): [Float64Array, number] =>
        k < length ? [cache[i]![kept], (b * length + k) * width] : [later[i]![kept][k - length]!, b * width];
      const seen: number[] = [];
      for (let k = 0; k < places; k++) if (k >= length || tokens[b * length + k]! >= 0) seen.push(k);
      for (let head = 0; head < heads; head++) {
        const own = r * width + head * size;
        let max = -Infinity;
        for (const k of seen) {
          const [key, from] = row("key", k);
          let dot = 0;
          for (let c = 0; c < size; c++) dot += query[own + c]! * key[from + head * size + c]!;
          weight[k] = dot * scale;
          max = Math.max(max, dot * scale);
        }
        let total = 0;
        for (const k of seen) total += weight[k] = exp(weight[k]! - max);
        for (const k of seen) {
          const share = weight[k]! / total;
          const [value, from] = row("value", k);
          for (let c = 0; c < size; c++) mixed[own + c]! += share * value[from + head * size + c]!;
        }
      }
    });
    add(x, dense(mixed, `${i}-out`, width, width));
  };

  const feedForward = (i: number, x: Float64Array): void => {
    const up = dense(layerNorm(x, width, w, at(`${i}-norm2`)).out, `${i}-up`, width, 4 * width);
    addBias(w, at(`${i}-bias`), matrix(up, x.length / width, 4 * width));
    const active = up.map((value) => Math.max(0, value));
    add(x, dense(active, `${i}-down`, 4 * width, width));
  };

  return (rows, next) => {
    step++;
    const x = new Float64Array(rows.length * width);
    rows.forEach((_, r) => {
      const embedding = at("embedding") + next[r]! * width;
      const place = at("place") + (lastPlace + step) * width;
      for (let c = 0; c < width; c++) x[r * width + c] = w[embedding + c]! + w[place + c]!;
    });
    for (let i = 0; i < layers; i++) {
      attend(i, rows, x);
      feedForward(i, x);
    }
    return layerNorm(x, width, w, at("norm")).out;
  };
}

function add(x: Float64Array, y: Float64Array): void {
  for (let i = 0; i < x.length; i++) x[i]! += y[i]!;
}
