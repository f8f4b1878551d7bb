// A step of a table of softmaxes on 64-bit floats, operation for operation what the loops in JavaScript do: `perToken` of the
// rules, and `addGradient` of the table.

/** Beyond so many nats a ratio is limited, which is left to JavaScript. */
#define MOST_NATS 20
/** Cells that are worked on at a time; a multiple of every width. */
#define CELLS 128

/** What `surrogate` sums up over the active cells. */
typedef struct {
  double loss, kl, entropy, largest, smallest, tokens, belowLow, aboveHigh;
  /** 1 if a log-ratio is beyond the limit or no number: then nothing else of the result counts. */
  double beyond;
} Sums64;

/**
 * The loss - sum w min(r A, clip(r, low, high) A) over the active cells, with r = exp(logProb - old), its derivative in each
 * log-prob, the estimate of the KL, and what else is told of a step.
 */
KERNEL(surrogate)(
  const double *logProb, const double *old, const double *advantage, const double *weight, const uint8_t *active,
  const double *entropy, double *slope, const Powers *powers, Sums64 *sums, int count, double low, double high
) {
  double loss = 0, divergence = 0, spread = 0;
  doubles largest = (doubles){0} - __builtin_inf(), smallest = (doubles){0} + __builtin_inf();
  wides tokens = {0}, belows = {0}, aboves = {0};
  for (int from = 0; from < count; from += CELLS) {
    int n = count - from < CELLS ? count - from : CELLS;
    _Alignas(64) uint64_t on[CELLS];
    _Alignas(64) double d[CELLS], a[CELLS], w[CELLS], gain[CELLS], down[CELLS], kl[CELLS], h[CELLS];
    int beyond = 0;
    for (int i = 0; i < n; i++) {
      int taken = active[from + i] == 1;
      on[i] = taken ? ~(uint64_t)0 : 0;
      d[i] = taken ? logProb[from + i] - old[from + i] : 0;
      a[i] = taken ? advantage[from + i] : 0;
      w[i] = taken ? weight[from + i] : 0;
      h[i] = taken ? entropy[from + i] : 0;
      beyond |= !(__builtin_fabs(d[i]) <= MOST_NATS);
    }
    if (beyond) {
      sums->beyond = 1;
      return;
    }
    for (int i = n; i % PAIRS != 0; i++) d[i] = a[i] = w[i] = on[i] = 0;
    for (int i = 0; i < n; i += PAIRS) {
      doubles x = *(doubles *)(d + i), A = *(doubles *)(a + i), W = *(doubles *)(w + i), r, less;
      wides there = *(wides *)(on + i);
      exponentials(x, powers, &r, &less);
      wides above = (wides)(r > high) & (wides)(A > 0.0);
      wides below = (wides)(r < low) & (wides)(A < 0.0);
      doubles level = pick(above, high + (doubles){0}, pick(below, low + (doubles){0}, r));
      doubles inside = pick(above | below, (doubles){0}, A);
      *(doubles *)(gain + i) = W * (level * A);
      *(doubles *)(down + i) = (doubles)((wides)(-(W * inside) * r) & there);
      *(doubles *)(kl + i) = less - x;
      largest = pick(there & (wides)(r > largest), r, largest);
      smallest = pick(there & (wides)(r < smallest), r, smallest);
      tokens -= there;
      aboves -= above;
      belows -= below;
    }
    for (int i = 0; i < n; i++) {
      loss -= gain[i];
      divergence += kl[i];
      spread += h[i];
    }
    __builtin_memcpy(slope + from, down, 8 * (size_t)n);
  }
  *sums = (Sums64){.loss = loss, .kl = divergence, .entropy = spread, .largest = largest[0], .smallest = smallest[0]};
  for (int i = 0; i < PAIRS; i++) {
    sums->largest = largest[i] > sums->largest ? largest[i] : sums->largest;
    sums->smallest = smallest[i] < sums->smallest ? smallest[i] : sums->smallest;
    sums->tokens += (double)tokens[i];
    sums->belowLow += (double)belows[i];
    sums->aboveHigh += (double)aboves[i];
  }
}

/** Adds the derivative in `width` <= PAIRS logits of a row, whose sums stay in a register: d (1{token = v} - p[v]), cell by cell. */
INLINE void addLogits(
  int width, int v, const double *logProb, const int *cells, int begin, int end, const int *tokens, const double *dLogProb,
  double *into, const Powers *powers
) {
  doubles p = {0}, sum = {0};
  wides token = {0};
  for (int j = 0; j < width; j++) {
    p[j] = exponential64(logProb[j], powers);
    sum[j] = into[j];
    token[j] = (uint64_t)(v + j);
  }
  for (int k = begin; k < end; k++) {
    doubles d = dLogProb[cells[k]] - (doubles){0};
    wides chosen = (wides)(token == (uint64_t)tokens[cells[k]] + (wides){0});
    sum += (doubles)((wides)d & chosen) - d * p;
  }
  for (int j = 0; j < width; j++) into[j] = sum[j];
}

/**
 * Adds d loss / d logits of all cells, group after group, to `into`: the row of group g has `size` logits from rows[g] stride
 * on, and its cells are cells[begins[g]] to cells[begins[g + 1]]. A group without any derivative is passed over; the rows of
 * the others are written to `touched` behind their number.
 */
KERNEL(tableGradient)(
  const double *logProb, const int *rows, const int *cells, const int *begins, const int *tokens, const double *dLogProb,
  double *into, int *touched, const Powers *powers, int groups, int size, int stride
) {
  int count = 0;
  for (int g = 0; g < groups; g++, logProb += size) {
    int begin = begins[g], end = begins[g + 1], k = begin;
    while (k < end && dLogProb[cells[k]] == 0) k++;
    if (k == end) continue;
    touched[++count] = rows[g];
    double *row = into + (size_t)rows[g] * stride;
    for (int v = 0; v < size; v += PAIRS) {
      int width = size - v < PAIRS ? size - v : PAIRS;
      addLogits(width, v, logProb + v, cells, begin, end, tokens, dLogProb, row + v, powers);
    }
  }
  touched[0] = count;
}
