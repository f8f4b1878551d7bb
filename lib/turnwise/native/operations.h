// For each operation: its arguments, what it touches, and the call.

#define N(i) count(k, i)
#define F(i, items) floatsAt(k, i, items)
#define D(i, items) doublesAt(k, i, items)
#define I(i, items) integersAt(k, i, items)
#define OPERATION(name) static void c_##name(Border *k)
#define RUN(call) if (k->allowed) call

/** The factors and the product of `gemm`: what A, B and C reach. */
#define FACTORS                                                                                           \
  int aRow = N(1), aColumn = N(2), bRow = N(4), cRow = N(6), m = N(7), n = N(8), p = N(9);                \
  float *a = F(0, m > 0 && p > 0 ? (m - 1.0) * aRow + (p - 1.0) * aColumn + 1 : 0);                       \
  float *b = F(3, reach(p, bRow, n));                                                                     \
  float *c = F(5, reach(m, cRow, n));
OPERATION(gemm) {
  FACTORS
  RUN(k_gemm(a, aRow, aColumn, b, bRow, c, cRow, m, n, p));
}
OPERATION(product) {
  FACTORS
  float *bias = k->given[10] == 0 ? 0 : F(10, n);
  int relu = N(11);
  RUN(k_product(a, aRow, aColumn, b, bRow, c, cRow, m, n, p, bias, relu));
}
OPERATION(transpose) {
  int fromRow = N(1), toRow = N(3), rows = N(4), columns = N(5);
  float *from = F(0, reach(rows, fromRow, columns)), *to = F(2, reach(columns, toRow, rows));
  RUN(k_transpose(from, fromRow, to, toRow, rows, columns));
}
OPERATION(tanh) {
  float *x = F(0, N(1));
  RUN(k_tanh(x, N(1)));
}
OPERATION(timesTanhSlope) {
  float *d = F(0, N(2)), *h = F(1, N(2));
  RUN(k_timesTanhSlope(d, h, N(2)));
}
OPERATION(relu) {
  float *x = F(0, N(1));
  RUN(k_relu(x, N(1)));
}
OPERATION(timesReluSlope) {
  float *d = F(0, N(2)), *h = F(1, N(2));
  RUN(k_timesReluSlope(d, h, N(2)));
}
OPERATION(demote) {
  double *from = D(0, N(2));
  float *to = F(1, N(2));
  RUN(k_demote(from, to, N(2)));
}
OPERATION(promote) {
  float *from = F(0, N(2));
  double *to = D(1, N(2));
  RUN(k_promote(from, to, N(2)));
}
OPERATION(clear) {
  float *x = F(0, N(1));
  RUN(k_clear(x, N(1)));
}
OPERATION(broadcast) {
  float *x = F(0, (double)N(2) * N(3)), *row = F(1, N(2) > 0 ? N(3) : 0);
  RUN(k_broadcast(x, row, N(2), N(3)));
}
OPERATION(addRows) {
  int rows = N(2), width = N(3), stride = N(4);
  float *sum = F(0, width), *x = F(1, reach(rows, stride, width));
  RUN(k_addRows(sum, x, rows, width, stride));
}
OPERATION(addRowProducts) {
  int rows = N(3), width = N(4), stride = N(5);
  float *sum = F(0, width), *x = F(1, reach(rows, stride, width)), *y = F(2, reach(rows, stride, width));
  RUN(k_addRowProducts(sum, x, y, rows, width, stride));
}
OPERATION(gather) {
  int rows = N(3), places = N(4), width = N(5);
  float *x = F(0, (double)rows * width), *table = F(1, width);
  int *offsets = I(2, (double)rows * places);
  indices(k, 1, offsets, (double)rows * places, 1, width, -1);
  RUN(k_gather(x, table, offsets, rows, places, width));
}
OPERATION(scatter) {
  int rows = N(3), places = N(4), width = N(5), stride = N(6);
  float *table = F(0, width), *d = F(1, reach(rows, stride, width));
  int *offsets = I(2, (double)rows * places);
  indices(k, 0, offsets, (double)rows * places, 1, width, -1);
  RUN(k_scatter(table, d, offsets, rows, places, width, stride));
}
OPERATION(rowDots) {
  int rows = N(4), width = N(5);
  float *x = F(0, width), *w = F(2, width);
  int *index = I(1, rows);
  double *value = D(3, rows);
  indices(k, 0, index, rows, width, width, 0);
  RUN(k_rowDots(x, index, w, value, rows, width));
}
OPERATION(rowDotsBackward) {
  int rows = N(6), width = N(7);
  float *x = F(0, width), *w = F(2, width), *dX = F(4, width), *dW = F(5, width);
  int *index = I(1, rows);
  double *dValue = D(3, rows);
  indices(k, 0, index, rows, width, width, 0);
  indices(k, 4, index, rows, width, width, 0);
  RUN(k_rowDotsBackward(x, index, w, dValue, dX, dW, rows, width));
}
OPERATION(gruCell) {
  int n = N(6);
  float *z = F(0, n), *r = F(1, n), *own = F(2, n), *recurrent = F(3, n), *before = F(4, n), *after = F(5, n);
  RUN(k_gruCell(z, r, own, recurrent, before, after, n));
}
OPERATION(gruCellBackward) {
  int n = N(11);
  float *x[11];
  for (int i = 0; i < 11; i++) x[i] = F(i, n);
  RUN(k_gruCellBackward(x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8], x[9], x[10], n));
}
OPERATION(layerNorm) {
  int rows = N(5), width = N(6);
  double all = (double)rows * width;
  float *x = F(0, all), *gain = F(1, width), *y = F(2, all), *unit = F(3, all), *scales = F(4, rows);
  RUN(k_layerNorm(x, gain, y, unit, scales, rows, width));
}
OPERATION(layerNormBackward) {
  int rows = N(5), width = N(6);
  double all = (double)rows * width;
  float *dY = F(0, all), *unit = F(1, all), *scales = F(2, rows), *gain = F(3, width), *dX = F(4, all);
  RUN(k_layerNormBackward(dY, unit, scales, gain, dX, rows, width));
}
OPERATION(logSoftmax) {
  int rows = N(6), width = N(7);
  double all = (double)rows * width;
  float *logits = F(0, all), *probability = F(1, all);
  int *tokens = I(2, rows);
  double *logProb = D(3, rows), *entropy = D(4, rows), *totals = D(5, rows);
  for (int i = 0; k->allowed && i < rows; i++) k->allowed = tokens[i] < width;
  RUN(k_logSoftmax(logits, probability, tokens, logProb, entropy, totals, rows, width));
}
OPERATION(logSoftmaxBackward) {
  int rows = N(8), width = N(9);
  double all = (double)rows * width;
  float *shifted = F(0, all), *probability = F(1, all), *dLogits = F(7, all);
  int *tokens = I(2, rows);
  double *entropy = D(3, rows), *totals = D(4, rows), *dLogProb = D(5, rows), *dEntropy = D(6, rows);
  for (int i = 0; k->allowed && i < rows; i++) k->allowed = tokens[i] >= 0 && tokens[i] < width;
  RUN(k_logSoftmaxBackward(shifted, probability, tokens, entropy, totals, dLogProb, dEntropy, dLogits, rows, width));
}
OPERATION(attention) {
  int capacity = N(2), queries = N(6), keys = N(7), width = N(8), heads = N(9);
  double rows = (double)queries * width;
  if (heads == 0 || queries > keys) k->allowed = 0;
  float *query = F(0, rows), *keyT = F(1, reach(width, capacity, keys)), *value = F(3, (double)keys * width);
  float *out = F(4, rows), *weight = F(5, (double)heads * queries * keys);
  RUN(k_attention(query, keyT, capacity, value, out, weight, queries, keys, width, heads));
}
OPERATION(appendKeys) {
  int capacity = N(2), first = N(3), places = N(4), width = N(5);
  float *key = F(0, (double)places * width), *keyT = F(1, reach(width, capacity, places > 0 ? first + (double)places : 0));
  RUN(k_appendKeys(key, keyT, capacity, first, places, width));
}
OPERATION(attentionBackward) {
  int length = N(9), width = N(10), heads = N(11);
  double rows = (double)length * width;
  if (heads == 0) k->allowed = 0;
  float *query = F(0, rows), *key = F(1, rows), *value = F(2, rows), *weight = F(3, (double)heads * length * length);
  float *dOut = F(4, rows), *dQuery = F(5, rows), *dKey = F(6, rows), *dValue = F(7, rows);
  float *scratch = F(8, heads > 0 ? (double)length * length + (double)(width / heads) * length : 0);
  RUN(k_attentionBackward(query, key, value, weight, dOut, dQuery, dKey, dValue, scratch, length, width, heads));
}
OPERATION(draw) {
  int rows = N(6), width = N(7);
  double all = (double)rows * width;
  if (width == 0) k->allowed = 0;
  float *logits = F(0, all), *weight = F(1, all);
  double *uniform = D(2, rows), *logProb = D(4, rows), *logTotals = D(5, rows);
  int *tokens = I(3, rows);
  RUN(k_draw(logits, weight, uniform, tokens, logProb, logTotals, rows, width, k->given[8]));
}
OPERATION(gruToken) {
  int gate = N(3), rows = N(8), width = N(9);
  double all = (double)rows * width, others = rows > 0 ? 2.0 * gate : 0;
  float *embedding = F(0, others + width), *bias = F(1, others + width), *state = F(2, others + (double)width * width);
  int *offsets = I(4, rows);
  float *before = F(5, all), *after = F(6, all), *gates = F(7, 4 * all);
  indices(k, 0, offsets, rows, 1, others + width, -1);
  RUN(k_gruToken(embedding, bias, state, gate, offsets, before, after, gates, rows, width));
}
OPERATION(attentionToken) {
  int rows = N(7), width = N(8), heads = N(9), longest = 0;
  double all = (double)rows * width;
  if (heads == 0) k->allowed = 0;
  float *query = F(0, all), *key = F(1, all), *value = F(2, all), *out = F(3, all), *cache = F(5, 1);
  int *kept = I(6, 4.0 * rows);
  double room = (k->memory->size - k->given[5]) / 4;
  for (int i = 0; k->allowed && i < rows; i++) {
    const Kept *own = (const Kept *)kept + i;
    double keys = own->keyT + (double)width * own->capacity, values = own->value + (own->length + 1.0) * width;
    k->allowed = own->keyT >= 0 && own->value >= 0 && own->length >= 0 && own->length < own->capacity && keys <= room && values <= room;
    if (own->length > longest) longest = own->length;
  }
  float *weight = F(4, rows > 0 ? heads * (longest + 1.0) : 0);
  RUN(k_attentionToken(query, key, value, out, weight, cache, kept, rows, width, heads));
}
OPERATION(adam) {
  int n = N(4);
  double *x = D(0, n), *gradient = D(1, n), *mean = D(2, n), *square = D(3, n);
  const double *o = k->given + 5;
  RUN(k_adam(x, gradient, mean, square, n, o[0], o[1], o[2], o[3], o[4], o[5], o[6]));
}
OPERATION(squares) {
  int n = N(2);
  double *x = D(0, n), *total = D(1, 1);
  RUN(k_squares(x, total, n));
}

typedef struct {
  const char *name;
  /** How many arguments it takes. */
  int arguments;
  void (*run)(Border *);
} Operation;

static const Operation operations[] = {
  {"gemm", 10, c_gemm},
  {"product", 12, c_product},
  {"transpose", 6, c_transpose},
  {"tanh", 2, c_tanh},
  {"timesTanhSlope", 3, c_timesTanhSlope},
  {"relu", 2, c_relu},
  {"timesReluSlope", 3, c_timesReluSlope},
  {"demote", 3, c_demote},
  {"promote", 3, c_promote},
  {"clear", 2, c_clear},
  {"broadcast", 4, c_broadcast},
  {"addRows", 5, c_addRows},
  {"addRowProducts", 6, c_addRowProducts},
  {"gather", 6, c_gather},
  {"scatter", 7, c_scatter},
  {"rowDots", 6, c_rowDots},
  {"rowDotsBackward", 8, c_rowDotsBackward},
  {"gruCell", 7, c_gruCell},
  {"gruCellBackward", 12, c_gruCellBackward},
  {"layerNorm", 7, c_layerNorm},
  {"layerNormBackward", 7, c_layerNormBackward},
  {"logSoftmax", 8, c_logSoftmax},
  {"logSoftmaxBackward", 10, c_logSoftmaxBackward},
  {"attention", 10, c_attention},
  {"appendKeys", 6, c_appendKeys},
  {"attentionBackward", 12, c_attentionBackward},
  {"draw", 9, c_draw},
  {"gruToken", 10, c_gruToken},
  {"attentionToken", 10, c_attentionToken},
  {"adam", 12, c_adam},
  {"squares", 3, c_squares},
};
#define OPERATIONS (sizeof operations / sizeof *operations)
#define MOST_ARGUMENTS 12
