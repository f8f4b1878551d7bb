INLINE void fourByFour(const float *from, intptr_t fromRow, float *to, intptr_t toRow) {
  f4 x0 = load4(from);
  f4 x1 = load4(from + fromRow);
  f4 x2 = load4(from + 2 * fromRow);
  f4 x3 = load4(from + 3 * fromRow);
  f4 low01 = __builtin_shufflevector(x0, x1, 0, 4, 1, 5);
  f4 high01 = __builtin_shufflevector(x0, x1, 2, 6, 3, 7);
  f4 low23 = __builtin_shufflevector(x2, x3, 0, 4, 1, 5);
  f4 high23 = __builtin_shufflevector(x2, x3, 2, 6, 3, 7);
  store4(to, __builtin_shufflevector(low01, low23, 0, 1, 4, 5));
  store4(to + toRow, __builtin_shufflevector(low01, low23, 2, 3, 6, 7));
  store4(to + 2 * toRow, __builtin_shufflevector(high01, high23, 0, 1, 4, 5));
  store4(to + 3 * toRow, __builtin_shufflevector(high01, high23, 2, 3, 6, 7));
}

/** to[j, i] = from[i, j] for i < rows, j < columns. */
KERNEL(transpose)(const float *from, int fromRow, float *to, int toRow, int rows, int columns) {
  int wholeRows = rows & ~3;
  int wholeColumns = columns & ~3;
  for (int i = 0; i < wholeRows; i += 4) {
    for (int j = 0; j < wholeColumns; j += 4) {
      fourByFour(from + i * (intptr_t)fromRow + j, fromRow, to + j * (intptr_t)toRow + i, toRow);
    }
  }
  for (int i = 0; i < rows; i++) {
    for (int j = i < wholeRows ? wholeColumns : 0; j < columns; j++) {
      to[j * (intptr_t)toRow + i] = from[i * (intptr_t)fromRow + j];
    }
  }
}
