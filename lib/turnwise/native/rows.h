INLINE void addRow(float *x, const float *y, int width) {
  OVER(width, put(x + c, get(x + c, left) + get(y + c, left), left);)
}

/** x <- x + factor y. */
INLINE void addScaled(float *x, const float *y, float factor, int width) {
  OVER(width, put(x + c, get(x + c, left) + factor * get(y + c, left), left);)
}

/** Sums over rows of as many columns as `vectors` vectors have, `last` in the last one: of x, or of x y. */
INLINE void sumRows(
  const int vectors, const int products, float *sum, const float *x, const float *y, int rows, int stride, const int last
) {
  floats own[4];
#pragma GCC unroll 4
  for (int v = 0; v < vectors; v++) own[v] = get(sum + v * LANES, last);
  for (int i = 0; i < rows; i++, x += stride, y += products ? stride : 0) {
#pragma GCC unroll 4
    for (int v = 0; v < vectors; v++) {
      floats value = get(x + v * LANES, last);
      own[v] = own[v] + (products ? value * get(y + v * LANES, last) : value);
    }
  }
#pragma GCC unroll 4
  for (int v = 0; v < vectors; v++) put(sum + v * LANES, own[v], last);
}

INLINE void sumColumns(
  const int products, float *sum, const float *x, const float *y, int rows, int width, int stride
) {
  int c = 0;
  for (; c + 4 * LANES <= width; c += 4 * LANES) sumRows(4, products, sum + c, x + c, y + c, rows, stride, LANES);
  for (; c + LANES <= width; c += LANES) sumRows(1, products, sum + c, x + c, y + c, rows, stride, LANES);
  if (c < width) sumRows(1, products, sum + c, x + c, y + c, rows, stride, width - c);
}

/** sum <- sum + the sum of the rows of x, in order, over `width` columns of rows of `stride`. */
KERNEL(addRows)(float *sum, const float *x, int rows, int width, int stride) {
  sumColumns(0, sum, x, x, rows, width, stride);
}

/** sum <- sum + the sum over the rows of x y, in order, over `width` columns of rows of `stride`. */
KERNEL(addRowProducts)(float *sum, const float *x, const float *y, int rows, int width, int stride) {
  sumColumns(1, sum, x, y, rows, width, stride);
}

/** Adds to one row what its places lead to, over as many columns as `vectors` vectors have, `last` in the last one. */
INLINE void gatherRow(const int vectors, float *x, const float *table, const int *offsets, int places, const int last) {
  floats own[4];
#pragma GCC unroll 4
  for (int v = 0; v < vectors; v++) own[v] = get(x + v * LANES, last);
  for (int j = 0; j < places; j++) {
    if (offsets[j] < 0) continue;
#pragma GCC unroll 4
    for (int v = 0; v < vectors; v++) own[v] = own[v] + get(table + offsets[j] + v * LANES, last);
  }
#pragma GCC unroll 4
  for (int v = 0; v < vectors; v++) put(x + v * LANES, own[v], last);
}

/** x[i] <- x[i] + sum over the row's places of the table's row at that offset (in elements; below 0 there is none). */
KERNEL(gather)(float *x, const float *table, const int *offsets, int rows, int places, int width) {
  for (int i = 0; i < rows; i++, x += width, offsets += places) {
    int c = 0;
    for (; c + 4 * LANES <= width; c += 4 * LANES) gatherRow(4, x + c, table + c, offsets, places, LANES);
    for (; c + LANES <= width; c += LANES) gatherRow(1, x + c, table + c, offsets, places, LANES);
    if (c < width) gatherRow(1, x + c, table + c, offsets, places, width - c);
  }
}

/**
 * The way back of `gather`: adds each row of d to the rows of the table that it came from, in order, over `width` columns
 * of rows of `stride`.
 */
KERNEL(scatter)(float *table, const float *d, const int *offsets, int rows, int places, int width, int stride) {
  for (int i = 0; i < rows; i++, d += stride) {
    for (int j = 0; j < places; j++, offsets++) if (*offsets >= 0) addRow(table + *offsets, d, width);
  }
}

/** value[i] = x[row_i] . w, 64-bit: a head with one output, on chosen rows. */
KERNEL(rowDots)(const float *x, const int *rowIndex, const float *w, double *value, int count, int width) {
  for (int i = 0; i < count; i++) value[i] = dot(x + rowIndex[i] * (intptr_t)width, w, width);
}

/** The way back of `rowDots`: adds to dX and dW. */
KERNEL(rowDotsBackward)(
  const float *x, const int *rowIndex, const float *w, const double *dValue, float *dX, float *dW,
  int count, int width
) {
  for (int i = 0; i < count; i++) {
    intptr_t at = rowIndex[i] * (intptr_t)width;
    addScaled(dX + at, w, (float)dValue[i], width);
    addScaled(dW, x + at, (float)dValue[i], width);
  }
}
