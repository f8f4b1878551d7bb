// Sums over a row are kept in four sums, whatever the width of the target's vectors, and the rest of the row is added one by
// one: so every target gives the same bits.

INLINE float sumOf(f4 x) { return x[0] + x[1] + (x[2] + x[3]); }

/** The sum of x y. */
static float dot(const float *x, const float *y, int width) {
  f4 sums = {0};
  int c = 0;
  for (; c + 4 <= width; c += 4) sums = sums + load4(x + c) * load4(y + c);
  float sum = sumOf(sums);
  for (; c < width; c++) sum += x[c] * y[c];
  return sum;
}

/** The largest of at least one float. */
static float largest(const float *x, int count) {
  float top = x[0];
  int c = 0;
  if (count >= LANES) {
    floats tops = load(x);
    for (c = LANES; c + LANES <= count; c += LANES) tops = most(tops, load(x + c));
    for (int i = 0; i < LANES; i++) top = top < tops[i] ? tops[i] : top;
  }
  for (; c < count; c++) top = top < x[c] ? x[c] : top;
  return top;
}
