import { madd } from "./madd";
import { packedBlocks } from "./packed";

// Strides and counts are in elements of 4 bytes, addresses in bytes.

/** Floats of the three matrices that the second cache holds with room for others. */
const IN_CACHE = 131072;

/**
 * C[m, n] += A[m, k] B[k, n] with A's element (i, p) at a + 4 (i aRow + p aColumn), B and C row-major.
 *
 * Every element of C is summed over p in order, one product after the other, whatever the blocks around it: the result
 * of a row does not depend on the rows beside it.
 */
export function gemm(
  a: usize, aRow: i32, aColumn: i32,
  b: usize, bRow: i32,
  c: usize, cRow: i32,
  m: i32, n: i32, k: i32,
): void {
  if (m >= 16 && n >= 8 && m * n + n * k + m * k > IN_CACHE) {
    const rows = m & ~3;
    const columns = n & ~7;
    packedBlocks(a, aRow << 2, aColumn << 2, b, bRow << 2, c, cRow << 2, rows, columns, k);
    for (let i = 0; i < m; i++) {
      const from = a + ((<usize>(i * aRow)) << 2);
      const to = c + ((<usize>(i * cRow)) << 2);
      row(from, aColumn << 2, b, bRow << 2, to, i < rows ? columns : 0, n, k);
    }
    return;
  }
  // A block of rows and of products that stays in the first cache while all columns pass over it.
  const rowBlock = 64;
  const productBlock = 128;
  for (let p = 0; p < k; p += productBlock) {
    const products = min(productBlock, k - p);
    for (let i = 0; i < m; i += rowBlock) {
      block(
        a + ((<usize>(i * aRow + p * aColumn)) << 2), aRow << 2, aColumn << 2,
        b + ((<usize>(p * bRow)) << 2), bRow << 2,
        c + ((<usize>(i * cRow)) << 2), cRow << 2,
        min(rowBlock, m - i), n, products,
      );
    }
  }
}

function block(
  a: usize, aRow: usize, aColumn: usize,
  b: usize, bRow: usize,
  c: usize, cRow: usize,
  m: i32, n: i32, k: i32,
): void {
  const whole = m & ~3;
  let j = 0;
  for (; j + 8 <= n; j += 8) {
    const bj = b + ((<usize>j) << 2);
    const cj = c + ((<usize>j) << 2);
    for (let i = 0; i < whole; i += 4) {
      fourByEight(a + <usize>i * aRow, aRow, aColumn, bj, bRow, cj + <usize>i * cRow, cRow, k);
    }
  }
  for (let i = 0; i < m; i++) {
    row(a + <usize>i * aRow, aColumn, b, bRow, c + <usize>i * cRow, i < whole ? j : 0, n, k);
  }
}

/** The columns of one row from `j` on. */
function row(
  a: usize, aColumn: usize,
  b: usize, bRow: usize,
  c: usize, j: i32, n: i32, k: i32,
): void {
  b += (<usize>j) << 2;
  c += (<usize>j) << 2;
  for (; j + 16 <= n; j += 16, b += 64, c += 64) oneBySixteen(a, aColumn, b, bRow, c, k);
  for (; j + 4 <= n; j += 4, b += 16, c += 16) oneByFour(a, aColumn, b, bRow, c, k);
  for (; j < n; j++, b += 4, c += 4) oneByOne(a, aColumn, b, bRow, c, k);
}

function fourByEight(
  a: usize, aRow: usize, aColumn: usize,
  b: usize, bRow: usize,
  c: usize, cRow: usize,
  k: i32,
): void {
  let a0 = a;
  let a1 = a + aRow;
  let a2 = a1 + aRow;
  let a3 = a2 + aRow;
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
  for (let p = 0; p < k; p++) {
    const b0 = v128.load(b);
    const b1 = v128.load(b, 16);
    let x = v128.load_splat<f32>(a0);
    s00 = madd(x, b0, s00);
    s01 = madd(x, b1, s01);
    x = v128.load_splat<f32>(a1);
    s10 = madd(x, b0, s10);
    s11 = madd(x, b1, s11);
    x = v128.load_splat<f32>(a2);
    s20 = madd(x, b0, s20);
    s21 = madd(x, b1, s21);
    x = v128.load_splat<f32>(a3);
    s30 = madd(x, b0, s30);
    s31 = madd(x, b1, s31);
    a0 += aColumn;
    a1 += aColumn;
    a2 += aColumn;
    a3 += aColumn;
    b += bRow;
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

/** Four sums at a time, so that no addition waits for the one before it. */
function oneBySixteen(a: usize, aColumn: usize, b: usize, bRow: usize, c: usize, k: i32): void {
  let s0 = v128.load(c);
  let s1 = v128.load(c, 16);
  let s2 = v128.load(c, 32);
  let s3 = v128.load(c, 48);
  for (let p = 0; p < k; p++) {
    const x = v128.load_splat<f32>(a);
    s0 = madd(x, v128.load(b), s0);
    s1 = madd(x, v128.load(b, 16), s1);
    s2 = madd(x, v128.load(b, 32), s2);
    s3 = madd(x, v128.load(b, 48), s3);
    a += aColumn;
    b += bRow;
  }
  v128.store(c, s0);
  v128.store(c, s1, 16);
  v128.store(c, s2, 32);
  v128.store(c, s3, 48);
}

function oneByFour(a: usize, aColumn: usize, b: usize, bRow: usize, c: usize, k: i32): void {
  let s = v128.load(c);
  for (let p = 0; p < k; p++) {
    s = madd(v128.load_splat<f32>(a), v128.load(b), s);
    a += aColumn;
    b += bRow;
  }
  v128.store(c, s);
}

function oneByOne(a: usize, aColumn: usize, b: usize, bRow: usize, c: usize, k: i32): void {
  let s = load<f32>(c);
  for (let p = 0; p < k; p++) {
    s += load<f32>(a) * load<f32>(b);
    a += aColumn;
    b += bRow;
  }
  store<f32>(c, s);
}

/** to[j, i] = from[i, j] for i < rows, j < columns. */
export function transpose(from: usize, fromRow: i32, to: usize, toRow: i32, rows: i32, columns: i32): void {
  const fromBytes = (<usize>fromRow) << 2;
  const toBytes = (<usize>toRow) << 2;
  const wholeRows = rows & ~3;
  const wholeColumns = columns & ~3;
  for (let i = 0; i < wholeRows; i += 4) {
    let source = from + <usize>i * fromBytes;
    let target = to + ((<usize>i) << 2);
    for (let j = 0; j < wholeColumns; j += 4, source += 16, target += toBytes << 2) {
      fourByFour(source, fromBytes, target, toBytes);
    }
  }
  for (let i = 0; i < rows; i++) {
    for (let j = i < wholeRows ? wholeColumns : 0; j < columns; j++) {
      const value = load<f32>(from + <usize>i * fromBytes + ((<usize>j) << 2));
      store<f32>(to + <usize>j * toBytes + ((<usize>i) << 2), value);
    }
  }
}

function fourByFour(from: usize, fromRow: usize, to: usize, toRow: usize): void {
  const x0 = v128.load(from);
  const x1 = v128.load(from + fromRow);
  const x2 = v128.load(from + (fromRow << 1));
  const x3 = v128.load(from + fromRow * 3);
  const low01 = v128.shuffle<f32>(x0, x1, 0, 4, 1, 5);
  const high01 = v128.shuffle<f32>(x0, x1, 2, 6, 3, 7);
  const low23 = v128.shuffle<f32>(x2, x3, 0, 4, 1, 5);
  const high23 = v128.shuffle<f32>(x2, x3, 2, 6, 3, 7);
  v128.store(to, v128.shuffle<f32>(low01, low23, 0, 1, 4, 5));
  v128.store(to + toRow, v128.shuffle<f32>(low01, low23, 2, 3, 6, 7));
  v128.store(to + (toRow << 1), v128.shuffle<f32>(high01, high23, 0, 1, 4, 5));
  v128.store(to + toRow * 3, v128.shuffle<f32>(high01, high23, 2, 3, 6, 7));
}
