/** y = unit gain, unit = (x - mean) scale, scale = 1 / sqrt(variance + 1e-5), over rows of `width`. */
KERNEL(layerNorm)(const float *x, const float *gain, float *y, float *unit, float *scales, int rows, int width) {
  for (int i = 0; i < rows; i++, x += width, y += width, unit += width) {
    f4 sums = {0};
    int c = 0;
    for (; c + 4 <= width; c += 4) sums = sums + load4(x + c);
    float sum = sumOf(sums);
    for (; c < width; c++) sum += x[c];
    float mean = sum / (float)width;
    sums = splat4(0);
    for (c = 0; c + 4 <= width; c += 4) {
      f4 off = load4(x + c) - mean;
      sums = sums + off * off;
    }
    sum = sumOf(sums);
    for (; c < width; c++) sum += (x[c] - mean) * (x[c] - mean);
    float scale = 1 / __builtin_sqrtf(sum / (float)width + 1e-5f);
    scales[i] = scale;
    OVER(width,
      floats own = (get(x + c, left) - mean) * scale;
      put(unit + c, own, left);
      put(y + c, own * get(gain + c, left), left);
    )
  }
}

/** The way back of `layerNorm`: adds to dX. The gradient of the gain is that of `addRowProducts` of dY and unit. */
KERNEL(layerNormBackward)(
  const float *dY, const float *unit, const float *scales, const float *gain, float *dX, int rows, int width
) {
  for (int i = 0; i < rows; i++, dY += width, unit += width, dX += width) {
    f4 sums = {0};
    f4 alongs = {0};
    int c = 0;
    for (; c + 4 <= width; c += 4) {
      f4 d = load4(dY + c) * load4(gain + c);
      sums = sums + d;
      alongs = alongs + d * load4(unit + c);
    }
    float sum = sumOf(sums);
    float along = sumOf(alongs);
    for (; c < width; c++) {
      float d = dY[c] * gain[c];
      sum += d;
      along += d * unit[c];
    }
    sum /= (float)width;
    along /= (float)width;
    OVER(width,
      floats d = get(dY + c, left) * get(gain + c, left);
      floats centerd = d - sum - get(unit + c, left) * along;
      put(dX + c, get(dX + c, left) + scales[i] * centerd, left);
    )
  }
}
