import { exp } from "../../base/elementary/exp";

/** B sequences of P places; `present[b * P + p]` is 1 where there is a token. */
export interface AttentionShape {
  readonly batch: number;
  readonly length: number;
  readonly width: number;
  readonly heads: number;
  readonly present: Uint8Array;
}

export interface Attended {
  readonly out: Float64Array;
  /** Adds to the derivatives of query, key and value. */
  backward(dOut: Float64Array, dQuery: Float64Array, dKey: Float64Array, dValue: Float64Array): void;
}

/**
 * Causal attention of several heads: out_q = sum_{k <= q} softmax_k(query_q . key_k / sqrt(width / heads)) value_k.
 *
 * A place never attends to padding, except that padding attends to itself.
 */
export function attention(
  query: Float64Array,
  key: Float64Array,
  value: Float64Array,
  shape: AttentionShape,
): Attended {
  const { batch, length, width, heads, present } = shape;
  const size = width / heads;
  const scale = 1 / Math.sqrt(size);
  const out = new Float64Array(query.length);
  const weight = new Float64Array(batch * heads * length * length);
  /** Visits every query with the places that it sees, and the offsets of their rows in this head. */
  const eachQuery = (visit: (seen: number[], q: number, from: number, rows: number) => void): void => {
    for (let b = 0; b < batch; b++) {
      for (let head = 0; head < heads; head++) {
        const rows = b * length * width + head * size;
        for (let q = 0; q < length; q++) {
          const seen: number[] = [];
          for (let k = 0; k <= q; k++) if (present[b * length + k] || k === q) seen.push(k);
          visit(seen, q, ((b * heads + head) * length + q) * length, rows);
        }
      }
    }
  };
  eachQuery((seen, q, from, rows) => {
    let max = -Infinity;
    for (const k of seen) {
      let dot = 0;
      for (let c = 0; c < size; c++) dot += query[rows + q * width + c]! * key[rows + k * width + c]!;
      weight[from + k] = dot * scale;
      max = Math.max(max, dot * scale);
    }
    let total = 0;
    for (const k of seen) total += weight[from + k] = exp(weight[from + k]! - max);
    for (const k of seen) {
      const share = (weight[from + k]! /= total);
      for (let c = 0; c < size; c++) out[rows + q * width + c]! += share * value[rows + k * width + c]!;
    }
  });
  return {
    out,
    backward(dOut, dQuery, dKey, dValue) {
      eachQuery((seen, q, from, rows) => {
        const at = rows + q * width;
        const dShare = seen.map((k) => {
          let dot = 0;
          for (let c = 0; c < size; c++) dot += dOut[at + c]! * value[rows + k * width + c]!;
          return dot;
        });
        const mean = seen.reduce((sum, k, i) => sum + weight[from + k]! * dShare[i]!, 0);
        seen.forEach((k, i) => {
          const share = weight[from + k]!;
          const dScore = share * (dShare[i]! - mean) * scale;
          for (let c = 0; c < size; c++) {
            dValue[rows + k * width + c]! += share * dOut[at + c]!;
            dQuery[at + c]! += dScore * key[rows + k * width + c]!;
            dKey[rows + k * width + c]! += dScore * query[at + c]!;
          }
        });
      });
    },
  };
}
