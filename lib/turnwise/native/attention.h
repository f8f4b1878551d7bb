// A block of queries looks at no key after its last one; what lies between is weighted 0.
#define QUERY_BLOCK 16

/**
 * Causal attention of one sequence: out_q = sum_{k <= q} softmax_k(query_q . key_k / sqrt(size)) value_k, per head.
 *
 * The queries are the last `queries` of `keys` places. keyT holds the keys as [width, capacity], so that a place can be
 * appended; value has rows of `width`; weight keeps the shares as [heads, queries, keys].
 */
KERNEL(attention)(
  const float *query, const float *keyT, int capacity, const float *value, float *out, float *weight,
  int queries, int keys, int width, int heads
) {
  int size = width / heads;
  float scale = 1 / __builtin_sqrtf((float)size);
  const Start zero = {0, 0};
  for (int head = 0; head < heads; head++) {
    const float *headKeyT = keyT + head * (intptr_t)size * capacity;
    for (int q = 0; q < queries; q += QUERY_BLOCK) {
      int rows = queries - q < QUERY_BLOCK ? queries - q : QUERY_BLOCK;
      int seen = keys - queries + q + rows;
      float *shares = weight + (head * (intptr_t)queries + q) * keys;
      intptr_t at = q * (intptr_t)width + head * size;
      blocks(query + at, width, 1, headKeyT, capacity, shares, keys, zero, 0, rows, seen, size);
      for (int i = 0; i < rows; i++) {
        float *row = shares + i * (intptr_t)keys;
        int visible = keys - queries + q + i + 1;
        softmaxRow(row, visible, scale);
        __builtin_memset(row + visible, 0, 4 * (size_t)(keys - visible));
      }
      blocks(shares, keys, 1, value + head * size, width, out + at, width, zero, 0, rows, size, seen);
    }
  }
}

/** Keys [places, width] into columns from `first` of [width, capacity]. */
KERNEL(appendKeys)(const float *key, float *keyT, int capacity, int first, int places, int width) {
  k_transpose(key, width, keyT + first, capacity, places, width);
}

/** What `attentionToken` knows of a sequence; offsets are in floats. */
typedef struct {
  int keyT, value, capacity, length;
} Kept;

/**
 * Attention of one new place of each of some sequences, which appends the key and the value of that place to what the
 * sequence keeps after `cache`: its keys as [width, capacity] and its values as rows, `length` of each before. weight has
 * room for the shares of all heads in the longest sequence.
 */
KERNEL(attentionToken)(
  const float *query, const float *key, const float *value, float *out, float *weight, float *cache,
  const int *kept, int rows, int width, int heads
) {
  int size = width / heads;
  float scale = 1 / __builtin_sqrtf((float)size);
  const Start zero = {0, 0};
  const Kept *own = (const Kept *)kept;
  for (int i = 0; i < rows; i++, own++, query += width, key += width, value += width, out += width) {
    float *keyT = cache + own->keyT;
    float *values = cache + own->value;
    int capacity = own->capacity, seen = own->length + 1;
    for (int c = 0; c < width; c++) keyT[c * (intptr_t)capacity + own->length] = key[c];
    __builtin_memcpy(values + own->length * (intptr_t)width, value, 4 * (size_t)width);
    float *shares = weight;
    for (int c = 0; c < width; c += size, shares += seen) {
      blocks(query + c, width, 1, keyT + c * (intptr_t)capacity, capacity, shares, seen, zero, 0, 1, seen, size);
      softmaxRow(shares, seen, scale);
      blocks(shares, seen, 1, values + c, width, out + c, width, zero, 0, 1, size, seen);
    }
  }
}

/** d <- share (d - sum share d) scale for the places that are seen, 0 for the rest. */
static void softmaxRowBackward(float *d, const float *share, int visible, int count, float scale) {
  float mean = dot(d, share, visible);
  OVER(visible, put(d + c, get(share + c, left) * (get(d + c, left) - mean) * scale, left);)
  __builtin_memset(d + visible, 0, 4 * (size_t)(count - visible));
}

/**
 * The way back of `attention` over a whole sequence: adds to dQuery, dKey and dValue.
 *
 * scratch holds length^2 + size length floats: the derivative of the shares, and the values of a head transposed.
 */
KERNEL(attentionBackward)(
  const float *query, const float *key, const float *value, const float *weight, const float *dOut,
  float *dQuery, float *dKey, float *dValue, float *scratch, int length, int width, int heads
) {
  int size = width / heads;
  float scale = 1 / __builtin_sqrtf((float)size);
  const Start zero = {0, 0};
  float *dShares = scratch;
  float *valueT = scratch + length * (intptr_t)length;
  for (int head = 0; head < heads; head++) {
    int column = head * size;
    const float *shares = weight + head * (intptr_t)length * length;
    k_transpose(value + column, width, valueT, length, length, size);
    __builtin_memset(dShares, 0, 4 * (size_t)length * length);
    for (int q = 0; q < length; q += QUERY_BLOCK) {
      int rows = length - q < QUERY_BLOCK ? length - q : QUERY_BLOCK;
      int seen = q + rows;
      intptr_t at = q * (intptr_t)width + column;
      float *own = dShares + q * (intptr_t)length;
      blocks(dOut + at, width, 1, valueT, length, own, length, zero, 0, rows, seen, size);
      for (int i = 0; i < rows; i++) {
        const float *share = shares + (q + i) * (intptr_t)length;
        softmaxRowBackward(own + i * (intptr_t)length, share, q + i + 1, seen, scale);
      }
      blocks(own, length, 1, key + column, width, dQuery + at, width, (Start){dQuery + at, width}, 0, rows, size, seen);
    }
    for (int k = 0; k < length; k += QUERY_BLOCK) {
      int rows = length - k < QUERY_BLOCK ? length - k : QUERY_BLOCK;
      int after = length - k;
      intptr_t at = k * (intptr_t)width + column;
      intptr_t corner = k * (intptr_t)length + k;
      blocks(dShares + corner, 1, length, query + at, width, dKey + at, width, (Start){dKey + at, width}, 0, rows, size, after);
      blocks(shares + corner, 1, length, dOut + at, width, dValue + at, width, (Start){dValue + at, width}, 0, rows, size, after);
    }
  }
}
