/** A block of rows and of products that stays in the first cache while all columns pass over it. */
#define ROW_BLOCK (64 / TILE_ROWS * TILE_ROWS)
#define PRODUCT_BLOCK 128

/** All rows of some columns: as many as `vectors` vectors have, `last` in the last one. */
INLINE void columns(
  const int vectors, const int order, const int last,
  const float *a, intptr_t aRow, intptr_t aColumn, const float *b, intptr_t bRow,
  float *c, intptr_t cRow, Start start, int relu, int m, int k
) {
#define TILE(count)                                                                                       \
  tile(count, vectors, order, a, aRow, aColumn, b, bRow, c, cRow, start, relu, k, last);                  \
  a += (count) * aRow;                                                                                    \
  c += (count) * cRow;                                                                                    \
  if (start.at) start.at += (count) * (intptr_t)start.row;
  for (; m >= TILE_ROWS; m -= TILE_ROWS) { TILE(TILE_ROWS) }
  if (TILE_ROWS > 4 && m & 4) { TILE(4) }
  if (m & 2) { TILE(2) }
  if (m & 1) { TILE(1) }
#undef TILE
}

INLINE void block(
  const int order,
  const float *a, intptr_t aRow, intptr_t aColumn, const float *b, intptr_t bRow,
  float *c, intptr_t cRow, Start start, int relu, int m, int n, int k
) {
  int j = 0;
#define COLUMNS_BY(vectors, last)                                                                         \
  columns(vectors, order, last, a, aRow, aColumn, b + j, bRow, c + j, cRow,                               \
          (Start){start.at ? start.at + j : 0, start.row}, relu, m, k)
  // Four sums at a time in a single row, so that no addition waits for the one before it.
  if (m < 4) for (; j + 4 * LANES <= n; j += 4 * LANES) COLUMNS_BY(4, LANES);
  for (; j + 2 * LANES <= n; j += 2 * LANES) COLUMNS_BY(2, LANES);
  if (j + LANES <= n) {
    COLUMNS_BY(1, LANES);
    j += LANES;
  }
  if (j < n) COLUMNS_BY(1, n - j);
#undef COLUMNS_BY
}

static void blocks(
  const float *a, int aRow, int aColumn, const float *b, int bRow,
  float *c, int cRow, Start start, int relu, int m, int n, int k
) {
  int p = 0;
  do {
    int products = k - p < PRODUCT_BLOCK ? k - p : PRODUCT_BLOCK;
    int ends = p + products >= k;
    for (int i = 0; i < m; i += ROW_BLOCK) {
      const float *from = a + i * (intptr_t)aRow + p * (intptr_t)aColumn;
      const float *y = b + p * (intptr_t)bRow;
      float *to = c + i * (intptr_t)cRow;
      Start own = p > 0 ? (Start){to, cRow} : (Start){start.at ? start.at + i * (intptr_t)start.row : 0, start.row};
      int rows = m - i < ROW_BLOCK ? m - i : ROW_BLOCK;
      if (aColumn == 1) block(ROWS, from, aRow, 1, y, bRow, to, cRow, own, relu && ends, rows, n, products);
      else if (aRow == 1) block(COLUMNS, from, 1, aColumn, y, bRow, to, cRow, own, relu && ends, rows, n, products);
      // A single row is a column's first element, product after product.
      else for (int r = 0; r < rows; r++) {
        Start at = {own.at ? own.at + r * (intptr_t)own.row : 0, 0};
        block(COLUMNS, from + r * (intptr_t)aRow, 1, aColumn, y, bRow, to + r * (intptr_t)cRow, cRow, at, relu && ends, 1, n, products);
      }
    }
    p += PRODUCT_BLOCK;
  } while (p < k);
}

#include "packed.h"

static void multiply(
  const float *a, int aRow, int aColumn, const float *b, int bRow,
  float *c, int cRow, Start start, int relu, int m, int n, int k
) {
  if (m >= 16 && n >= TILE_COLUMNS && m * (double)n + n * (double)k + m * (double)k > IN_CACHE) {
    int rows = m / TILE_ROWS * TILE_ROWS;
    int wide = n / TILE_COLUMNS * TILE_COLUMNS;
    packedBlocks(a, aRow, aColumn, b, bRow, c, cRow, start, relu, rows, wide, k);
    Start right = {start.at ? start.at + wide : 0, start.row};
    blocks(a, aRow, aColumn, b + wide, bRow, c + wide, cRow, right, relu, rows, n - wide, k);
    Start below = {start.at ? start.at + rows * (intptr_t)start.row : 0, start.row};
    const float *rest = a + rows * (intptr_t)aRow;
    blocks(rest, aRow, aColumn, b, bRow, c + rows * (intptr_t)cRow, cRow, below, relu, m - rows, n, k);
    return;
  }
  blocks(a, aRow, aColumn, b, bRow, c, cRow, start, relu, m, n, k);
}

/** C[m, n] += A[m, k] B[k, n] with A's element (i, p) at a + i aRow + p aColumn, B and C row-major. */
KERNEL(gemm)(
  const float *a, int aRow, int aColumn, const float *b, int bRow, float *c, int cRow, int m, int n, int k
) {
  multiply(a, aRow, aColumn, b, bRow, c, cRow, (Start){c, cRow}, 0, m, n, k);
}

/** C = bias + A B, and max(0, C) if `relu`; without a bias (null) it begins at 0. What C held does not matter. */
KERNEL(product)(
  const float *a, int aRow, int aColumn, const float *b, int bRow, float *c, int cRow, int m, int n, int k,
  const float *bias, int relu
) {
  multiply(a, aRow, aColumn, b, bRow, c, cRow, (Start){bias, 0}, relu, m, n, k);
}
