import { addScaled, dot, scaled } from "./elementwise";
import { gemm, transpose } from "./gemm";
import { softmaxRow } from "./softmax";

// A block of queries looks at no key after its last one; what lies between is weighted 0.
const QUERY_BLOCK = 16;

/**
 * Causal attention of one sequence: out_q = sum_{k <= q} softmax_k(query_q . key_k / sqrt(size)) value_k, per head.
 *
 * The queries are the last `queries` of `keys` places. keyT holds the keys as [width, capacity], so that a place can be
 * appended; value has rows of `width`; weight keeps the shares as [heads, queries, keys].
 */
export function attention(
  query: usize, keyT: usize, capacity: i32, value: usize, out: usize, weight: usize,
  queries: i32, keys: i32, width: i32, heads: i32,
): void {
  const size = width / heads;
  const scale: f32 = 1 / sqrt<f32>(<f32>size);
  const first = keys - queries;
  memory.fill(out, 0, (<usize>(queries * width)) << 2);
  for (let head = 0; head < heads; head++) {
    const column = (<usize>(head * size)) << 2;
    const headKeyT = keyT + ((<usize>(head * size * capacity)) << 2);
    for (let q = 0; q < queries; q += QUERY_BLOCK) {
      const rows = min(QUERY_BLOCK, queries - q);
      const seen = first + q + rows;
      const shares = weight + ((<usize>((head * queries + q) * keys)) << 2);
      const at = ((<usize>(q * width)) << 2) + column;
      for (let i = 0; i < rows; i++) {
        memory.fill(shares + ((<usize>(i * keys)) << 2), 0, (<usize>seen) << 2);
      }
      gemm(query + at, width, 1, headKeyT, capacity, shares, keys, rows, seen, size);
      for (let i = 0; i < rows; i++) {
        const row = shares + ((<usize>(i * keys)) << 2);
        const visible = first + q + i + 1;
        scaled(row, scale, visible);
        softmaxRow(row, visible);
        memory.fill(row + ((<usize>visible) << 2), 0, (<usize>(keys - visible)) << 2);
      }
      gemm(shares, keys, 1, value + column, width, out + at, width, rows, size, seen);
    }
  }
}

/** Keys [places, width] into columns from `first` of [width, capacity]. */
export function appendKeys(key: usize, keyT: usize, capacity: i32, first: i32, places: i32, width: i32): void {
  transpose(key, width, keyT + ((<usize>first) << 2), capacity, places, width);
}

/**
 * The way back of `attention` over a whole sequence: adds to dQuery, dKey and dValue.
 *
 * scratch holds length^2 + size length floats: the derivative of the shares, and the values of a head transposed.
 */
export function attentionBackward(
  query: usize, key: usize, value: usize, weight: usize,
  dOut: usize, dQuery: usize, dKey: usize, dValue: usize, scratch: usize,
  length: i32, width: i32, heads: i32,
): void {
  const size = width / heads;
  const scale: f32 = 1 / sqrt<f32>(<f32>size);
  const rowBytes = (<usize>length) << 2;
  const dShares = scratch;
  const valueT = scratch + <usize>length * rowBytes;
  for (let head = 0; head < heads; head++) {
    const column = (<usize>(head * size)) << 2;
    const shares = weight + <usize>(head * length) * rowBytes;
    transpose(value + column, width, valueT, length, length, size);
    memory.fill(dShares, 0, <usize>length * rowBytes);
    for (let q = 0; q < length; q += QUERY_BLOCK) {
      const rows = min(QUERY_BLOCK, length - q);
      const seen = q + rows;
      const at = ((<usize>(q * width)) << 2) + column;
      const block = dShares + <usize>q * rowBytes;
      gemm(dOut + at, width, 1, valueT, length, block, length, rows, seen, size);
      for (let i = 0; i < rows; i++) {
        const row = block + <usize>i * rowBytes;
        const share = shares + <usize>(q + i) * rowBytes;
        softmaxRowBackward(row, share, q + i + 1, seen, scale);
      }
      gemm(block, length, 1, key + column, width, dQuery + at, width, rows, size, seen);
    }
    for (let k = 0; k < length; k += QUERY_BLOCK) {
      const rows = min(QUERY_BLOCK, length - k);
      const after = length - k;
      const at = ((<usize>(k * width)) << 2) + column;
      const corner = <usize>k * rowBytes + ((<usize>k) << 2);
      gemm(dShares + corner, 1, length, query + at, width, dKey + at, width, rows, size, after);
      gemm(shares + corner, 1, length, dOut + at, width, dValue + at, width, rows, size, after);
    }
  }
}

/** d <- share (d - sum share d) scale for the places that are seen, 0 for the rest. */
function softmaxRowBackward(d: usize, share: usize, visible: i32, count: i32, scale: f32): void {
  const mean = dot(d, share, visible);
  let k = 0;
  for (; k + 4 <= visible; k += 4) {
    const at = (<usize>k) << 2;
    const off = f32x4.sub(v128.load(d + at), f32x4.splat(mean));
    v128.store(d + at, f32x4.mul(f32x4.mul(v128.load(share + at), off), f32x4.splat(scale)));
  }
  for (; k < visible; k++) {
    const at = (<usize>k) << 2;
    store<f32>(d + at, load<f32>(share + at) * (load<f32>(d + at) - mean) * scale);
  }
  memory.fill(d + ((<usize>visible) << 2), 0, (<usize>(count - visible)) << 2);
}

/** value[i] = x[row_i] . w, 64-bit: a head with one output, on chosen rows. */
export function rowDots(x: usize, rowIndex: usize, w: usize, value: usize, count: i32, width: i32): void {
  for (let i = 0; i < count; i++) {
    const row = x + ((<usize>(load<i32>(rowIndex + ((<usize>i) << 2)) * width)) << 2);
    store<f64>(value + ((<usize>i) << 3), <f64>dot(row, w, width));
  }
}

/** The way back of `rowDots`: adds to dX and dW. */
export function rowDotsBackward(
  x: usize, rowIndex: usize, w: usize, dValue: usize, dX: usize, dW: usize, count: i32, width: i32,
): void {
  for (let i = 0; i < count; i++) {
    const at = (<usize>(load<i32>(rowIndex + ((<usize>i) << 2)) * width)) << 2;
    const d = <f32>load<f64>(dValue + ((<usize>i) << 3));
    addScaled(dX + at, w, d, width);
    addScaled(dW, x + at, d, width);
  }
}
