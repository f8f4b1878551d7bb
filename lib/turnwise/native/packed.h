// The product of matrices too large for the second cache: both factors are first copied, block by block, in the order in
// which the sums need them. Reading them where they lie waits for main memory at every row.

#define PACKED_ROWS (64 / TILE_ROWS * TILE_ROWS)
#define PACKED_PRODUCTS 128
#define PACKED_COLUMNS 256
#define TILE_COLUMNS (2 * LANES)
/** Floats of the three matrices that the second cache holds with room for others. */
#define IN_CACHE 131072

/** Panels as wide as a tile, each [products, TILE_COLUMNS]. */
static void packColumns(float *to, const float *b, int bRow, int products, int columns) {
  for (int p = 0; p < products; p++, b += bRow) {
    float *panel = to + p * TILE_COLUMNS;
    for (int q = 0; q < columns; q += TILE_COLUMNS, panel += products * TILE_COLUMNS) {
      store(panel, load(b + q));
      store(panel + LANES, load(b + q + LANES));
    }
  }
}

/** Panels as high as a tile, each [products, TILE_ROWS]. */
static void packRows(float *to, const float *a, int aRow, int aColumn, int rows, int products) {
  for (int r = 0; r < rows; r += TILE_ROWS, a += TILE_ROWS * (intptr_t)aRow) {
    const float *from = a;
    for (int p = 0; p < products; p++, from += aColumn, to += TILE_ROWS) {
#pragma GCC unroll 8
      for (int i = 0; i < TILE_ROWS; i++) to[i] = from[i * (intptr_t)aRow];
    }
  }
}

/** As `multiply`, and the same bits, for rows and columns in whole tiles. */
static void packedBlocks(
  const float *a, int aRow, int aColumn, const float *b, int bRow,
  float *c, int cRow, Start start, int relu, int m, int n, int k
) {
  float panelsA[PACKED_ROWS * PACKED_PRODUCTS];
  float panelsB[PACKED_COLUMNS * PACKED_PRODUCTS];
  for (int j = 0; j < n; j += PACKED_COLUMNS) {
    int columns = n - j < PACKED_COLUMNS ? n - j : PACKED_COLUMNS;
    for (int p = 0; p < k; p += PACKED_PRODUCTS) {
      int products = k - p < PACKED_PRODUCTS ? k - p : PACKED_PRODUCTS;
      int ends = p + products == k;
      packColumns(panelsB, b + p * (intptr_t)bRow + j, bRow, products, columns);
      for (int i = 0; i < m; i += PACKED_ROWS) {
        int rows = m - i < PACKED_ROWS ? m - i : PACKED_ROWS;
        packRows(panelsA, a + i * (intptr_t)aRow + p * (intptr_t)aColumn, aRow, aColumn, rows, products);
        for (int r = 0; r < rows; r += TILE_ROWS) {
          float *to = c + (i + r) * (intptr_t)cRow + j;
          Start own = p > 0 ? (Start){to, cRow}
                            : (Start){start.at ? start.at + (i + r) * (intptr_t)start.row + j : 0, start.row};
          for (int q = 0; q < columns; q += TILE_COLUMNS) {
            tile(TILE_ROWS, 2, COLUMNS, panelsA + r * products, 1, TILE_ROWS, panelsB + q * products, TILE_COLUMNS,
                 to + q, cRow, (Start){own.at ? own.at + q : 0, own.row}, relu && ends, products, LANES);
          }
        }
      }
    }
  }
}
