// Products of matrices: C[m, n] = start + A B, with A's element (i, p) at a + i aRow + p aColumn, B and C row-major.
// Every element is summed over p in order, one product after the other, whatever the blocks around it.

/** Where the sums of a row of C begin: at zero where `at` is null, else at row i from at + i row on. */
typedef struct {
  const float *at;
  int row;
} Start;

/** Which elements of A lie beside each other: those of a row, or those of a column. */
enum { ROWS, COLUMNS };

/** `rows` rows by `vectors` vectors of C, the last of which has `last` columns. */
INLINE void tile(
  const int rows, const int vectors, const int order,
  const float *a, intptr_t aRow, intptr_t aColumn, const float *b, intptr_t bRow,
  float *c, intptr_t cRow, Start start, int relu, int k, int last
) {
  floats sum[TILE_ROWS][4];
#pragma GCC unroll 16
  for (int i = 0; i < rows; i++) {
#pragma GCC unroll 4
    for (int v = 0; v < vectors; v++) {
      const float *from = start.at + i * (intptr_t)start.row + v * LANES;
      sum[i][v] = start.at == 0 ? splat(0) : v == vectors - 1 ? get(from, last) : load(from);
    }
  }
  for (int p = 0; p < k; p++) {
    floats y[4];
#pragma GCC unroll 4
    for (int v = 0; v < vectors; v++) y[v] = v == vectors - 1 ? get(b + v * LANES, last) : load(b + v * LANES);
#pragma GCC unroll 16
    for (int i = 0; i < rows; i++) {
      floats x = splat(order == ROWS ? a[i * aRow] : a[i]);
#pragma GCC unroll 4
      for (int v = 0; v < vectors; v++) sum[i][v] = multiplyAdd(x, y[v], sum[i][v]);
    }
    a += order == ROWS ? 1 : aColumn;
    b += bRow;
  }
#pragma GCC unroll 16
  for (int i = 0; i < rows; i++) {
#pragma GCC unroll 4
    for (int v = 0; v < vectors; v++) {
      floats value = relu ? most(sum[i][v], splat(0)) : sum[i][v];
      float *to = c + i * cRow + v * LANES;
      if (v == vectors - 1) put(to, value, last);
      else store(to, value);
    }
  }
}
