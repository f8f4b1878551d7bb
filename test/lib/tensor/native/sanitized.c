// Calls every kernel on arrays of exactly the size that it may touch, for an address sanitizer to see a read or a write
// beside; then prints a digest of all results, which is the same for every processor.

#include <stdio.h>
#include <stdlib.h>
#include "../../../../lib/turnwise/native/kernels.c"

static void *given[64];
static size_t bytes[64];
static int count;
/** Of all that the arrays held at the end of their round (FNV-1a). */
static uint64_t digest = 0xcbf29ce484222325ull;
static uint32_t state = 1;

static int upTo(int most) {
  state = state * 1664525u + 1013904223u;
  return 1 + (int)((state >> 8) % (unsigned)most);
}
static void *room(size_t size) {
  bytes[count] = size;
  return given[count++] = malloc(size);
}
static float *F(size_t n) {
  float *x = room(4 * n);
  for (size_t i = 0; i < n; i++) x[i] = upTo(2000) / 1000.f - 1;
  return x;
}
static double *D(size_t n) {
  double *x = room(8 * n);
  for (size_t i = 0; i < n; i++) x[i] = upTo(2000) / 1000.;
  return x;
}
/** n whole numbers from `least` on, below `below`. */
static int *I(size_t n, int least, int below) {
  int *x = room(4 * n);
  for (size_t i = 0; i < n; i++) x[i] = least - 1 + upTo(below - least);
  return x;
}
static void forget(void) {
  while (count > 0) {
    const unsigned char *own = given[--count];
    for (size_t i = 0; i < bytes[count]; i++) digest = (digest ^ own[i]) * 0x100000001b3ull;
    free(given[count]);
  }
}

static void products(void) {
  int large = upTo(20) == 1;
  int m = (large ? 200 : 0) + upTo(40), n = (large ? 300 : 0) + upTo(70), k = (large ? 250 : 0) + upTo(200);
  int transposed = upTo(2) - 1, aRow = transposed ? 1 : k, aColumn = transposed ? m : 1;
  float *a = F((size_t)m * k), *b = F((size_t)k * n), *c = F((size_t)m * n);
  k_gemm(a, aRow, aColumn, b, n, c, n, m, n, k);
  k_product(a, aRow, aColumn, b, n, c, n, m, n, k, F(n), 1);
  k_transpose(a, k, F((size_t)m * k), m, m, k);
}

static void alongRows(void) {
  int rows = upTo(40), width = upTo(150), places = upTo(4), entries = upTo(9);
  size_t all = (size_t)rows * width;
  float *x = F(all), *table = F((size_t)entries * width), *w = F(width);
  int *offsets = I((size_t)rows * places, -1, (entries - 1) * width + 1), *index = I(rows, 0, entries);
  k_tanh(x, (int)all);
  k_timesTanhSlope(x, F(all), (int)all);
  k_relu(x, (int)all);
  k_timesReluSlope(x, F(all), (int)all);
  k_demote(D(all), F(all), (int)all);
  k_promote(F(all), D(all), (int)all);
  k_clear(x, (int)all);
  k_broadcast(x, w, rows, width);
  k_addRows(w, x, rows, width, width);
  k_addRowProducts(w, x, F(all), rows, width, width);
  k_gather(x, table, offsets, rows, places, width);
  k_scatter(table, x, offsets, rows, places, width, width);
  k_rowDots(table, index, w, D(rows), rows, width);
  k_rowDotsBackward(table, index, w, D(rows), F((size_t)entries * width), F(width), rows, width);
  float *unit = F(all), *scales = F(rows);
  k_layerNorm(x, w, F(all), unit, scales, rows, width);
  k_layerNormBackward(F(all), unit, scales, w, F(all), rows, width);
  float *p = F(all);
  int *tokens = I(rows, 0, width);
  double *entropy = D(rows), *totals = D(rows);
  k_logSoftmax(x, p, tokens, D(rows), entropy, totals, rows, width);
  double *uniform = D(rows);
  for (int i = 0; i < rows; i++) uniform[i] /= 3;
  k_draw(F(all), F(all), uniform, I(rows, 0, 1), D(rows), D(rows), rows, width, 1.5);
  k_logSoftmaxBackward(x, p, tokens, entropy, totals, D(rows), D(rows), F(all), rows, width);
}

static void cells(void) {
  int n = upTo(100);
  float *x[11];
  for (int i = 0; i < 11; i++) x[i] = F(n);
  k_gruCell(x[0], x[1], x[2], x[3], x[4], x[5], n);
  k_gruCellBackward(x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8], x[9], x[10], n);
  k_adam(D(n), D(n), D(n), D(n), n, 1, .1, .1, .9, .99, 1e-8, 1e-30);
  double *squares = D(n);
  k_squares(squares, D(1), n);
  int rows = upTo(9), width = upTo(40), entries = upTo(5), gate = (entries + 1 + width) * width;
  float *weights = F(3 * (size_t)gate);
  int *offsets = I(rows, 0, (entries - 1) * width + 1);
  float *before = F((size_t)rows * width), *after = F((size_t)rows * width), *gates = F(4 * (size_t)rows * width);
  float *bias = weights + entries * width;
  k_gruToken(weights, bias, bias + width, gate, offsets, before, after, gates, rows, width);
}

static void sequences(void) {
  int size = upTo(17), heads = upTo(3), width = size * heads, length = upTo(40), capacity = length + upTo(5) - 1;
  size_t all = (size_t)length * width;
  float *key = F(all), *keyT = F((size_t)width * capacity), *weight = F((size_t)heads * length * length);
  k_appendKeys(key, keyT, capacity, 0, length, width);
  float *query = F(all), *value = F(all);
  k_attention(query, keyT, capacity, value, F(all), weight, length, length, width, heads);
  k_attention(query, keyT, capacity, value, F(width), F((size_t)heads * length), 1, length, width, heads);
  float *scratch = F((size_t)length * (length + size));
  k_attentionBackward(query, key, value, weight, F(all), F(all), F(all), F(all), scratch, length, width, heads);
  int *kept = I(4, 0, 1), before = upTo(capacity) - 1;
  kept[1] = width * capacity;
  kept[2] = capacity;
  kept[3] = before;
  float *own = F(width), *cache = F(2 * (size_t)width * capacity);
  k_attentionToken(own, F(width), F(width), F(width), F((size_t)heads * (before + 1)), cache, kept, 1, width, heads);
}

int main(void) {
  void (*all[])(void) = {products, alongRows, cells, sequences};
  for (int round = 0; round < 400; round++) {
    all[round % 4]();
    forget();
  }
  printf("%016llx\n", (unsigned long long)digest);
  return 0;
}
