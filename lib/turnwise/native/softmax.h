/** x <- exp(scale x - max) / sum over one row. */
static void softmaxRow(float *x, int count, float scale) {
  float top = largest(x, count) * scale;
  OVER(count, put(x + c, exponential(get(x + c, left) * scale - top), left);)
  f4 sums = {0};
  int c = 0;
  for (; c + 4 <= count; c += 4) sums = sums + load4(x + c);
  float sum = sumOf(sums);
  for (; c < count; c++) sum += x[c];
  float factor = 1 / sum;
  OVER(count, put(x + c, get(x + c, left) * factor, left);)
}

/** Rows of which the first cache holds logits and probabilities, so that exponentials run over all of them at once. */
#define SOFTMAX_ROWS 32

/**
 * For every row of logits, in place: x <- x - max, probability = softmax; with t = token[row],
 * logProb[row] = log softmax_t and entropy[row] = -sum p log p, both 64-bit, in nats.
 *
 * logits and probability have `width` columns; token below 0 leaves logProb alone.
 */
KERNEL(logSoftmax)(
  float *logits, float *probability, const int *tokens, double *logProb, double *entropy, double *logTotals,
  int rows, int width
) {
  for (int first = 0; first < rows; first += SOFTMAX_ROWS) {
    int end = rows - first < SOFTMAX_ROWS ? rows : first + SOFTMAX_ROWS;
    float *x = logits + first * (intptr_t)width;
    float *p = probability + first * (intptr_t)width;
    int count = (end - first) * width;
    for (int i = first; i < end; i++, x += width, p += width) {
      float top = largest(x, width);
      // Wide vectors have room for most rows; narrow ones go over all rows at once afterwards.
      OVER(width,
        floats shifted = get(x + c, left) - top;
        put(x + c, shifted, left);
        if (LANES > 4) put(p + c, exponential(shifted), left);
      )
    }
    x -= count;
    p -= count;
    if (LANES == 4) OVER(count, put(p + c, exponential(get(x + c, left)), left);)
    for (int i = first; i < end; i++, x += width, p += width) {
      f4 sums = {0};
      f4 weighted = {0};
      int c = 0;
      for (; c + 4 <= width; c += 4) {
        f4 e = load4(p + c);
        sums = sums + e;
        weighted = weighted + e * load4(x + c);
      }
      double sum = sumOf(sums);
      double mean = sumOf(weighted);
      for (; c < width; c++) {
        sum += p[c];
        mean += p[c] * x[c];
      }
      double logTotal = logarithm(sum);
      logTotals[i] = logTotal;
      entropy[i] = logTotal - mean / sum;
      if (tokens[i] >= 0) logProb[i] = x[tokens[i]] - logTotal;
      float factor = (float)(1 / sum);
      OVER(width, put(p + c, get(p + c, left) * factor, left);)
    }
  }
}

/** dLogits = dLogProb (1{token} - p) - dEntropy p (log p + entropy), from what `logSoftmax` left. */
KERNEL(logSoftmaxBackward)(
  const float *shifted, const float *probability, const int *tokens, const double *entropy, const double *logTotals,
  const double *dLogProb, const double *dEntropy, float *dLogits, int rows, int width
) {
  for (int i = 0; i < rows; i++, shifted += width, probability += width, dLogits += width) {
    float dChosen = (float)dLogProb[i];
    float dSpread = (float)dEntropy[i];
    // log p + entropy = shifted + (entropy - logTotal)
    float offset = (float)(entropy[i] - logTotals[i]);
    OVER(width,
      floats spread = dSpread * (get(shifted + c, left) + offset);
      put(dLogits + c, -(get(probability + c, left) * (dChosen + spread)), left);
    )
    dLogits[tokens[i]] += dChosen;
  }
}
