/** x <- tanh(x). */
KERNEL(tanh)(float *x, int count) {
  OVER(count, put(x + c, hyperbolicTangent(get(x + c, left)), left);)
}

/** d <- d (1 - h^2), the derivative through h = tanh. */
KERNEL(timesTanhSlope)(float *d, const float *h, int count) {
  OVER(count, floats y = get(h + c, left); put(d + c, get(d + c, left) * (1.0f - y * y), left);)
}

/** x <- max(0, x). */
KERNEL(relu)(float *x, int count) {
  OVER(count, put(x + c, most(get(x + c, left), splat(0)), left);)
}

/** d <- d where the output h of relu is above 0, else 0. */
KERNEL(timesReluSlope)(float *d, const float *h, int count) {
  OVER(count, put(d + c, (floats)((integers)get(d + c, left) & (get(h + c, left) > 0.0f)), left);)
}

/** to <- from, rounded from 64 bits to 32. */
KERNEL(demote)(const double *restrict from, float *restrict to, int count) {
  for (int i = 0; i < count; i++) to[i] = (float)from[i];
}

/** to <- from, from 32 bits to 64. */
KERNEL(promote)(const float *restrict from, double *restrict to, int count) {
  for (int i = 0; i < count; i++) to[i] = from[i];
}

/** x <- 0. */
KERNEL(clear)(float *x, int count) { __builtin_memset(x, 0, 4 * (size_t)count); }

/** Every row of x <- row. */
KERNEL(broadcast)(float *x, const float *row, int rows, int width) {
  for (int i = 0; i < rows; i++, x += width) __builtin_memcpy(x, row, 4 * (size_t)width);
}
