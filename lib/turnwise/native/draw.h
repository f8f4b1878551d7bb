/**
 * The entry at which the running sum of the weights passes what is `left` at first; -1 where that comes as near to the border
 * of two entries as `near`, or where a weight is no number.
 */
static int passes(const float *weight, int width, double left, double near) {
  int c = 0;
  for (; c + 4 <= width; c += 4) {
    double rest = left - sumOf(load4(weight + c));
    if (!(rest > near)) break;
    left = rest;
  }
  for (; c < width; c++) {
    left -= weight[c];
    if (left < near) return left < -near ? c : -1;
  }
  return -1;
}

/**
 * Draws a token for each row of logits by one uniform number of [0, 1): the one at which the running sum of the
 * probabilities passes it. In place, x <- x / temperature - max and weight <- exp(x); logTotal = log of the sum of the
 * weights and logProb = x_token - logTotal are 64-bit, in nats.
 *
 * The token is the one that sums of 64 bits give. Where the number lies too near to the border of two tokens to tell in 32
 * bits, or a weight is no number, the token is -1: then the caller decides, and logProb is left alone.
 */
KERNEL(draw)(
  float *logits, float *weight, const double *uniform, int *tokens, double *logProb, double *logTotals,
  int rows, int width, double temperature
) {
  // Weights are exact to 3e-7, their sum to a quarter of `width` roundings of 6e-8; both with room to spare.
  double error = 2.5e-6 + 2e-8 * width;
  for (int i = 0; i < rows; i++, logits += width, weight += width) {
    if (temperature != 1) for (int c = 0; c < width; c++) logits[c] = (float)(logits[c] / temperature);
    float top = largest(logits, width);
    OVER(width,
      floats shifted = get(logits + c, left) - top;
      put(logits + c, shifted, left);
      put(weight + c, exponential(shifted), left);
    )
    f4 sums = {0};
    int c = 0;
    for (; c + 4 <= width; c += 4) sums = sums + load4(weight + c);
    double sum = sumOf(sums);
    for (; c < width; c++) sum += weight[c];
    logTotals[i] = logarithm(sum);
    tokens[i] = passes(weight, width, uniform[i] * sum, error * sum);
    if (tokens[i] >= 0) logProb[i] = logits[tokens[i]] - logTotals[i];
  }
}
