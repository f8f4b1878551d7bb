// The product of matrices too large for the second cache: both factors are first copied, block by block, in the order in
// which the sums need them. Reading them where they lie waits for main memory at every row.

import { madd } from "./madd";

const ROWS = 64;
const PRODUCTS = 128;
const COLUMNS = 256;

let packedA: usize = memory.data(4 * ROWS * PRODUCTS, 16);
let packedB: usize = memory.data(4 * COLUMNS * PRODUCTS, 16);

/** Bytes of the copies. */
export const PACK_BYTES: i32 = 4 * (ROWS + COLUMNS) * PRODUCTS;

/** Where the copies are made: every thread on this memory needs a place of its own. */
export function packTo(at: usize): void {
  packedA = at;
  packedB = at + 4 * ROWS * PRODUCTS;
}

/**
 * C += A B as `gemm` has it, and the same bits, for the first rows in fours and columns in eights.
 *
 * Strides of columns and rows are in bytes.
 */
export function packedBlocks(
  a: usize, aRow: usize, aColumn: usize,
  b: usize, bRow: usize,
  c: usize, cRow: usize,
  m: i32, n: i32, k: i32,
): void {
  for (let j = 0; j < n; j += COLUMNS) {
    const columns = min(COLUMNS, n - j);
    for (let p = 0; p < k; p += PRODUCTS) {
      const products = min(PRODUCTS, k - p);
      packColumns(b + <usize>p * bRow + ((<usize>j) << 2), bRow, products, columns);
      for (let i = 0; i < m; i += ROWS) {
        const rows = min(ROWS, m - i);
        const from = a + <usize>i * aRow + <usize>p * aColumn;
        if (aRow === 4) packTransposedRows(from, aColumn, rows, products);
        else packRows(from, aRow, aColumn, rows, products);
        const to = c + <usize>i * cRow + ((<usize>j) << 2);
        for (let r = 0; r < rows; r += 4) {
          const aPanel = packedA + <usize>(r * products * 4);
          for (let q = 0; q < columns; q += 8) {
            const bPanel = packedB + <usize>(q * products * 4);
            panelProduct(aPanel, bPanel, to + <usize>r * cRow + ((<usize>q) << 2), cRow, products);
          }
        }
      }
    }
  }
}

/** Panels of 8 columns, each [products, 8]. */
function packColumns(b: usize, bRow: usize, products: i32, columns: i32): void {
  for (let p = 0; p < products; p++, b += bRow) {
    let to = packedB + ((<usize>p) << 5);
    let from = b;
    for (let q = 0; q < columns; q += 8, from += 32) {
      v128.store(to, v128.load(from));
      v128.store(to, v128.load(from, 16), 16);
      to += (<usize>products) << 5;
    }
  }
}

/** Panels of 4 rows, each [products, 4]. */
function packRows(a: usize, aRow: usize, aColumn: usize, rows: i32, products: i32): void {
  let to = packedA;
  for (let r = 0; r < rows; r += 4, a += aRow << 2) {
    let a0 = a;
    let a1 = a + aRow;
    let a2 = a1 + aRow;
    let a3 = a2 + aRow;
    for (let p = 0; p < products; p++, to += 16) {
      store<f32>(to, load<f32>(a0));
      store<f32>(to, load<f32>(a1), 4);
      store<f32>(to, load<f32>(a2), 8);
      store<f32>(to, load<f32>(a3), 12);
      a0 += aColumn;
      a1 += aColumn;
      a2 += aColumn;
      a3 += aColumn;
    }
  }
}

/** The same of a matrix whose columns are contiguous. */
function packTransposedRows(a: usize, aColumn: usize, rows: i32, products: i32): void {
  for (let p = 0; p < products; p++, a += aColumn) {
    let to = packedA + ((<usize>p) << 4);
    for (let r: usize = 0; r < <usize>rows; r += 4) {
      v128.store(to, v128.load(a + (r << 2)));
      to += (<usize>products) << 4;
    }
  }
}

function panelProduct(a: usize, b: usize, c: usize, cRow: usize, k: i32): void {
  const c1 = c + cRow;
  const c2 = c1 + cRow;
  const c3 = c2 + cRow;
  let s00 = v128.load(c);
  let s01 = v128.load(c, 16);
  let s10 = v128.load(c1);
  let s11 = v128.load(c1, 16);
  let s20 = v128.load(c2);
  let s21 = v128.load(c2, 16);
  let s30 = v128.load(c3);
  let s31 = v128.load(c3, 16);
  for (let p = 0; p < k; p++, a += 16, b += 32) {
    const b0 = v128.load(b);
    const b1 = v128.load(b, 16);
    let x = v128.load_splat<f32>(a);
    s00 = madd(x, b0, s00);
    s01 = madd(x, b1, s01);
    x = v128.load_splat<f32>(a, 4);
    s10 = madd(x, b0, s10);
    s11 = madd(x, b1, s11);
    x = v128.load_splat<f32>(a, 8);
    s20 = madd(x, b0, s20);
    s21 = madd(x, b1, s21);
    x = v128.load_splat<f32>(a, 12);
    s30 = madd(x, b0, s30);
    s31 = madd(x, b1, s31);
  }
  v128.store(c, s00);
  v128.store(c, s01, 16);
  v128.store(c1, s10);
  v128.store(c1, s11, 16);
  v128.store(c2, s20);
  v128.store(c2, s21, 16);
  v128.store(c3, s30);
  v128.store(c3, s31, 16);
}
